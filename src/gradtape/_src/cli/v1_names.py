"""The public names that TensorFlow 1 has and TensorFlow 2 has not.

Both sets are the difference between `tf.compat.v1` and `tf` of TensorFlow 2.21, without the few names that
early TensorFlow 2 releases still had; `contrib` and `examples`, which only TensorFlow 1 shipped, are added.
Rests on nothing.
"""

# Names of the top level: `tf.Session`.
TOP = frozenset(
    """
    AUTO_REUSE AttrValue COMPILER_VERSION CXX11_ABI_FLAG CXX_VERSION ConditionalAccumulator
    ConditionalAccumulatorBase ConfigProto Dimension Event FIFOQueue FixedLenFeature
    FixedLenSequenceFeature FixedLengthRecordReader GIT_VERSION GPUOptions GRAPH_DEF_VERSION
    GRAPH_DEF_VERSION_MIN_CONSUMER GRAPH_DEF_VERSION_MIN_PRODUCER GraphDef GraphKeys GraphOptions
    HistogramProto IdentityReader InteractiveSession LMDBReader LogMessage MONOLITHIC_BUILD MetaGraphDef
    NameAttrList NoGradient NodeDef NotDifferentiable OpError OptimizerOptions PaddingFIFOQueue Print
    PriorityQueue QUANTIZED_DTYPES QueueBase RandomShuffleQueue ReaderBase RunMetadata RunOptions
    Session SessionLog SparseConditionalAccumulator SparseFeature SparseTensorValue Summary
    SummaryMetadata TFRecordReader TensorInfo TextLineReader VERSION VarLenFeature VariableScope
    WholeFileReader accumulate_n add_check_numerics_ops add_to_collection add_to_collections
    all_variables angle app arg_max arg_min assert_greater_equal assert_integer assert_less_equal
    assert_near assert_negative assert_non_negative assert_non_positive assert_none_equal
    assert_positive assert_proper_iterable assert_rank_at_least assert_rank_in assert_same_float_dtype
    assert_scalar assert_type assert_variables_initialized assign assign_add assign_sub batch_gather
    batch_scatter_update batch_to_space_nd betainc bincount ceil check_numerics cholesky cholesky_solve
    clip_by_average_norm colocate_with confusion_matrix conj container contrib control_flow_v2_enabled
    convert_to_tensor_or_indexed_slices convert_to_tensor_or_sparse_tensor count_nonzero count_up_to
    create_partitioned_variables cross cumprod decode_base64 decode_compressed decode_csv
    decode_json_example decode_raw delete_session_tensor depth_to_space dequantize
    deserialize_many_sparse diag diag_part digamma dimension_at_index dimension_value
    disable_control_flow_v2 disable_eager_execution disable_resource_variables disable_tensor_equality
    disable_v2_behavior disable_v2_tensorshape distributions div div_no_nan enable_control_flow_v2
    enable_eager_execution enable_resource_variables enable_tensor_equality enable_v2_behavior
    enable_v2_tensorshape encode_base64 erf erfc examples executing_eagerly_outside_functions expm1
    extract_image_patches fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient
    fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient
    fake_quant_with_min_max_vars_per_channel fake_quant_with_min_max_vars_per_channel_gradient fft fft2d
    fft3d fixed_size_partitioner flags floor_div floordiv floormod get_collection get_collection_ref
    get_default_graph get_default_session get_local_variable get_seed get_session_handle
    get_session_tensor get_variable get_variable_scope gfile global_norm global_variables
    global_variables_initializer glorot_normal_initializer glorot_uniform_initializer ifft ifft2d ifft3d
    igamma igammac imag initialize_all_tables initialize_all_variables initialize_local_variables
    initialize_variables invert_permutation is_finite is_inf is_nan is_non_decreasing is_numeric_tensor
    is_strictly_increasing is_variable_initialized layers lbeta lgamma lin_space
    load_file_system_library local_variables local_variables_initializer log log1p log_sigmoid logging
    logical_xor make_template manip matching_files matrix_band_part matrix_determinant matrix_diag
    matrix_diag_part matrix_inverse matrix_set_diag matrix_solve matrix_solve_ls matrix_transpose
    matrix_triangular_solve min_max_variable_partitioner mod model_variables moving_average_variables
    multinomial no_regularizer op_scope orthogonal_initializer parse_example parse_single_example
    parse_single_sequence_example parse_tensor placeholder placeholder_with_default polygamma py_func
    python_io qr quantize quantize_v2 quantized_concat random_crop random_gamma random_normal
    random_poisson random_shuffle random_uniform read_file real reciprocal reduce_join regex_replace
    report_uninitialized_variables reset_default_graph resource_loader resource_variables_enabled
    reverse_v2 rint rsqrt scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd_add
    scatter_nd_sub scatter_nd_update scatter_sub scatter_update segment_max segment_mean segment_min
    segment_prod segment_sum self_adjoint_eig self_adjoint_eigvals serialize_many_sparse
    serialize_sparse serialize_tensor set_random_seed setdiff1d space_to_depth sparse_add sparse_concat
    sparse_fill_empty_rows sparse_mask sparse_matmul sparse_maximum sparse_merge sparse_minimum
    sparse_placeholder sparse_reduce_max sparse_reduce_max_sparse sparse_reduce_sum
    sparse_reduce_sum_sparse sparse_reorder sparse_reset_shape sparse_reshape sparse_retain
    sparse_segment_mean sparse_segment_sqrt_n sparse_segment_sum sparse_slice sparse_softmax
    sparse_split sparse_tensor_dense_matmul sparse_tensor_to_dense sparse_to_dense sparse_to_indicator
    sparse_transpose spectral squared_difference string_join string_split string_strip
    string_to_hash_bucket string_to_hash_bucket_fast string_to_hash_bucket_strong string_to_number
    substr svd tables_initializer tensor_scatter_add tensor_scatter_sub tensor_scatter_update
    to_bfloat16 to_complex128 to_complex64 to_double to_float to_int32 to_int64 trace
    trainable_variables truncated_normal truncated_normal_initializer uniform_unit_scaling_initializer
    unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod
    unsorted_segment_sqrt_n unsorted_segment_sum user_ops variable_axis_size_partitioner
    variable_op_scope variable_scope variables_initializer variance_scaling_initializer
    verify_tensor_all_finite where_v2 wrap_function write_file zeta
    """.split()
)

# Names one level down, below a module that both have: `tf.train.AdamOptimizer`.
NESTED = frozenset(
    """
    data.get_output_classes data.get_output_shapes data.get_output_types
    data.make_initializable_iterator data.make_one_shot_iterator image.extract_image_patches
    image.resize_area image.resize_bicubic image.resize_bilinear image.resize_image_with_crop_or_pad
    image.resize_image_with_pad image.resize_images image.resize_nearest_neighbor image.transpose_image
    losses.absolute_difference losses.add_loss losses.compute_weighted_loss losses.cosine_distance
    losses.get_losses losses.get_regularization_loss losses.get_regularization_losses
    losses.get_total_loss losses.hinge_loss losses.huber_loss losses.log_loss
    losses.mean_pairwise_squared_error losses.sigmoid_cross_entropy losses.softmax_cross_entropy
    losses.sparse_softmax_cross_entropy metrics.accuracy metrics.auc metrics.average_precision_at_k
    metrics.false_negatives metrics.false_negatives_at_thresholds metrics.false_positives
    metrics.false_positives_at_thresholds metrics.mean metrics.mean_cosine_distance metrics.mean_iou
    metrics.mean_per_class_accuracy metrics.mean_relative_error metrics.mean_tensor
    metrics.percentage_below metrics.precision metrics.precision_at_k metrics.precision_at_thresholds
    metrics.precision_at_top_k metrics.recall metrics.recall_at_k metrics.recall_at_thresholds
    metrics.recall_at_top_k metrics.root_mean_squared_error metrics.sensitivity_at_specificity
    metrics.sparse_average_precision_at_k metrics.sparse_precision_at_k
    metrics.specificity_at_sensitivity metrics.true_negatives metrics.true_negatives_at_thresholds
    metrics.true_positives metrics.true_positives_at_thresholds nn.avg_pool_v2
    nn.bidirectional_dynamic_rnn nn.conv2d_backprop_filter nn.conv2d_backprop_input
    nn.conv3d_backprop_filter nn.conv3d_backprop_filter_v2 nn.ctc_beam_search_decoder_v2 nn.ctc_loss_v2
    nn.depthwise_conv2d_native nn.depthwise_conv2d_native_backprop_filter
    nn.depthwise_conv2d_native_backprop_input nn.dynamic_rnn nn.fused_batch_norm
    nn.log_uniform_candidate_sampler nn.max_pool_v2 nn.quantized_avg_pool nn.quantized_conv2d
    nn.quantized_max_pool nn.quantized_relu_x nn.raw_rnn nn.relu_layer nn.rnn_cell
    nn.softmax_cross_entropy_with_logits_v2 nn.static_bidirectional_rnn nn.static_rnn
    nn.static_state_saving_rnn nn.uniform_candidate_sampler nn.xw_plus_b random.get_seed
    random.multinomial random.set_random_seed random.stateless_multinomial saved_model.Builder
    saved_model.LEGACY_INIT_OP_KEY saved_model.MAIN_OP_KEY saved_model.build_signature_def
    saved_model.build_tensor_info saved_model.builder saved_model.classification_signature_def
    saved_model.get_tensor_from_tensor_info saved_model.is_valid_signature saved_model.load_v2
    saved_model.loader saved_model.main_op saved_model.main_op_with_restore
    saved_model.maybe_saved_model_directory saved_model.predict_signature_def
    saved_model.regression_signature_def saved_model.signature_constants saved_model.signature_def_utils
    saved_model.simple_save saved_model.tag_constants sparse.SparseConditionalAccumulator sparse.merge
    sparse.placeholder sparse.reduce_max_sparse sparse.reduce_sum_sparse summary.Event
    summary.FileWriter summary.FileWriterCache summary.SessionLog summary.Summary
    summary.SummaryDescription summary.TaggedRunMetadata summary.all_v2_summary_ops
    summary.get_summary_description summary.initialize summary.merge summary.merge_all
    summary.tensor_summary train.AdadeltaOptimizer train.AdagradDAOptimizer train.AdagradOptimizer
    train.AdamOptimizer train.CheckpointSaverHook train.CheckpointSaverListener
    train.ChiefSessionCreator train.FeedFnHook train.FinalOpsHook train.FtrlOptimizer
    train.GlobalStepWaiterHook train.GradientDescentOptimizer train.LoggingTensorHook train.LooperThread
    train.MomentumOptimizer train.MonitoredSession train.MonitoredTrainingSession
    train.NanLossDuringTrainingError train.NanTensorHook train.NewCheckpointReader train.Optimizer
    train.ProfilerHook train.ProximalAdagradOptimizer train.ProximalGradientDescentOptimizer
    train.QueueRunner train.RMSPropOptimizer train.Saver train.SaverDef train.Scaffold
    train.SecondOrStepTimer train.Server train.SessionCreator train.SessionManager train.SessionRunArgs
    train.SessionRunContext train.SessionRunHook train.SessionRunValues train.SingularMonitoredSession
    train.StepCounterHook train.StopAtStepHook train.SummarySaverHook train.Supervisor
    train.SyncReplicasOptimizer train.VocabInfo train.WorkerSessionCreator train.add_queue_runner
    train.assert_global_step train.basic_train_loop train.batch train.batch_join train.checkpoint_exists
    train.cosine_decay train.cosine_decay_restarts train.create_global_step
    train.do_quantize_training_on_graphdef train.exponential_decay train.export_meta_graph
    train.generate_checkpoint_state_proto train.get_checkpoint_mtimes train.get_global_step
    train.get_or_create_global_step train.global_step train.import_meta_graph train.init_from_checkpoint
    train.input_producer train.inverse_time_decay train.limit_epochs train.linear_cosine_decay
    train.match_filenames_once train.maybe_batch train.maybe_batch_join train.maybe_shuffle_batch
    train.maybe_shuffle_batch_join train.natural_exp_decay train.noisy_linear_cosine_decay
    train.piecewise_constant train.piecewise_constant_decay train.polynomial_decay train.queue_runner
    train.range_input_producer train.remove_checkpoint train.replica_device_setter train.sdca_fprint
    train.sdca_optimizer train.sdca_shrink_l1 train.shuffle_batch train.shuffle_batch_join
    train.slice_input_producer train.start_queue_runners train.string_input_producer
    train.summary_iterator train.update_checkpoint_state train.warm_start train.write_graph
    """.split()
)
