#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST_HELPERS = 63 };

/* Who has just worked looks for more work for so long before going to sleep: to be woken takes half of it, and the kernels
of a backward pass follow each other closely. */
static const long AWAKE_NANOSECONDS = 200000;

static struct {
    Kernel *kernel;
    const Array *arrays;
    long columns, portion;
    atomic_long taken;
    atomic_int failed;
    int open, wanted;   /* guarded by the lock: whether there is work, and for how many more helpers */
    atomic_int working; /* helpers that work on it */
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, one_job = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t there_is_work = PTHREAD_COND_INITIALIZER;
static atomic_long jobs;           /* counts them: helpers that are awake watch it */
static int started, asleep;        /* helpers, guarded by the lock */

static void work(void) {
    for (;;) {
        long first = atomic_fetch_add(&job.taken, job.portion);
        if (first >= job.columns) return;
        long last = first + job.portion < job.columns ? first + job.portion : job.columns;
        int result = job.kernel(job.arrays, first, last);
        if (result < 0) atomic_store(&job.failed, result);
    }
}

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void *help(void *unused) {
    (void)unused;
    long seen = 0;
    for (;;) {
        for (long long end = nanoseconds() + AWAKE_NANOSECONDS; atomic_load(&jobs) == seen && nanoseconds() < end;) {}
        pthread_mutex_lock(&lock);
        while (atomic_load(&jobs) == seen) {
            asleep++;
            pthread_cond_wait(&there_is_work, &lock);
            asleep--;
        }
        seen = atomic_load(&jobs);
        int joins = job.open && job.wanted > 0;
        if (joins) {
            job.wanted--;
            atomic_fetch_add(&job.working, 1);
        }
        pthread_mutex_unlock(&lock);
        if (joins) {
            work();
            atomic_fetch_sub(&job.working, 1);
        }
    }
    return NULL;
}

/* A child process has none of its parent's threads, and whoever held a lock is not there to release it. */
static void forget_helpers(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&one_job, NULL);
    pthread_cond_init(&there_is_work, NULL);
    started = asleep = 0;
    atomic_store(&job.working, 0);
}

static void start_helpers(int helpers) {
    static int registered;
    if (!registered) registered = 1, pthread_atfork(NULL, NULL, forget_helpers);
    if (helpers > MOST_HELPERS) helpers = MOST_HELPERS;
    if (started >= helpers) return;
    /* Signals are for the threads of the program, whatever these block later. */
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    for (pthread_t thread; started < helpers && !pthread_create(&thread, NULL, help, NULL); started++)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int on_all_cores(Kernel kernel, const Array *arrays, long columns, long portion, int helpers) {
    /* One job at a time: who comes meanwhile works alone. */
    if (helpers < 1 || columns <= portion || pthread_mutex_trylock(&one_job)) return kernel(arrays, 0, columns);
    pthread_mutex_lock(&lock);
    start_helpers(helpers);
    job.kernel = kernel, job.arrays = arrays, job.columns = columns, job.portion = portion;
    atomic_store(&job.taken, 0);
    atomic_store(&job.failed, 0);
    job.open = 1, job.wanted = helpers;
    atomic_fetch_add(&jobs, 1);
    int sleeping = asleep;
    pthread_mutex_unlock(&lock);
    if (sleeping) pthread_cond_broadcast(&there_is_work);
    work();
    pthread_mutex_lock(&lock);
    job.open = 0;
    pthread_mutex_unlock(&lock);
    while (atomic_load(&job.working)) sched_yield();
    int failed = atomic_load(&job.failed);
    pthread_mutex_unlock(&one_job);
    return failed;
}
