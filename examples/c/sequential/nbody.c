/* The motion of bodies under gravity, in one process.
 *
 *     ./nbody [bodies [steps]]
 *
 * The bodies start on a disc. Each step moves them by the leapfrog method. Every hundredth step and
 * at the end the energy and the centre of mass are printed with all their digits: the energy drifts
 * little, and any body that a resume had lost would show.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TIME_STEP 1e-3

typedef struct {
    double x, y, z;
} Vector;

typedef struct {
    Vector place, speed;
    double mass;
} Body;

/* A reproducible number in [0, 1). */
static double next_random(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void place_bodies(Body *bodies, int count)
{
    unsigned long long seed = 2006;
    int k;
    for (k = 0; k < count; k++) {
        double angle = 6.283185307179586 * next_random(&seed);
        double radius = 0.2 + next_random(&seed);
        double speed = sqrt(1.0 / radius);
        bodies[k].place = (Vector){radius * cos(angle), radius * sin(angle),
                                   0.05 * next_random(&seed)};
        bodies[k].speed = (Vector){-speed * sin(angle), speed * cos(angle), 0.0};
        bodies[k].mass = 1.0 / count;
    }
}

static Vector pull_on(const Body *bodies, int count, int which)
{
    Vector pull = {0.0, 0.0, 0.0};
    int k;
    for (k = 0; k < count; k++) {
        double dx = bodies[k].place.x - bodies[which].place.x;
        double dy = bodies[k].place.y - bodies[which].place.y;
        double dz = bodies[k].place.z - bodies[which].place.z;
        double square = dx * dx + dy * dy + dz * dz + 1e-4;
        double strength = bodies[k].mass / (square * sqrt(square));
        pull.x += strength * dx;
        pull.y += strength * dy;
        pull.z += strength * dz;
    }
    return pull;
}

static void kick(Body *bodies, int count, double dt)
{
    int k;
    for (k = 0; k < count; k++) {
        Vector pull = pull_on(bodies, count, k);
        bodies[k].speed.x += pull.x * dt;
        bodies[k].speed.y += pull.y * dt;
        bodies[k].speed.z += pull.z * dt;
    }
}

static void drift(Body *bodies, int count, double dt)
{
    int k;
    for (k = 0; k < count; k++) {
        bodies[k].place.x += bodies[k].speed.x * dt;
        bodies[k].place.y += bodies[k].speed.y * dt;
        bodies[k].place.z += bodies[k].speed.z * dt;
    }
}

static double energy_of(const Body *bodies, int count)
{
    double energy = 0.0;
    int j, k;
    for (k = 0; k < count; k++) {
        const Vector *v = &bodies[k].speed, *p = &bodies[k].place;
        energy += 0.5 * bodies[k].mass * (v->x * v->x + v->y * v->y + v->z * v->z);
        for (j = 0; j < k; j++) {
            double dx = p->x - bodies[j].place.x, dy = p->y - bodies[j].place.y;
            double dz = p->z - bodies[j].place.z;
            energy -= bodies[k].mass * bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
        }
    }
    return energy;
}

static void report(const Body *bodies, int count, int step)
{
    double x = 0.0;
    int k;
    for (k = 0; k < count; k++)
        x += bodies[k].mass * bodies[k].place.x;
    printf("step %5d  energy %.17g  centre %.17g\n", step, energy_of(bodies, count), x);
    fflush(stdout);
}

static void simulate(Body *bodies, int count, int steps)
{
    int step;
#pragma cppc register(step)
    for (step = 0; step < steps; step++) {
#pragma cppc checkpoint
        kick(bodies, count, TIME_STEP / 2);
        drift(bodies, count, TIME_STEP);
        kick(bodies, count, TIME_STEP / 2);
        if ((step + 1) % 100 == 0 || step + 1 == steps)
            report(bodies, count, step + 1);
    }
}

int main(int argc, char **argv)
{
    Body *bodies;
    int count, steps;

#pragma cppc init
    count = argc > 1 ? atoi(argv[1]) : 400;
    steps = argc > 2 ? atoi(argv[2]) : 2000;
    bodies = malloc((size_t)count * sizeof *bodies);
    if (bodies == NULL)
        return 1;
    place_bodies(bodies, count);
#pragma cppc register(bodies[count])
    simulate(bodies, count, steps);
    free(bodies);
#pragma cppc shutdown
    return 0;
}
