/* Exercises: structures in place, automatic, static and on the heap: nested, anonymous members,
 * arrays inside, typedefs of typedefs, padding, an enumeration and a complex number inside. */
#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef double Real;
typedef struct vector {
    Real x, y, z;
} Vector;
typedef Vector Place;

enum kind { SOLID, FLUID };

typedef struct {
    char name[5];
    Place place;
    struct {
        Vector speed[2];
        long steps;
    } motion;
    struct {
        int red, green;
    };
    enum kind kind;
    bool alive;
    double complex phase;
    long double weight;
} Body;

static Body sun;

static void move(Body *body, int step)
{
    body->place.x += body->motion.speed[step % 2].x * 0.1;
    body->motion.speed[1].x = body->place.x / 3;
    body->motion.steps++;
    body->red += step;
    body->green ^= body->red;
    body->kind = body->kind == SOLID ? FLUID : SOLID;
    body->alive = !body->alive;
    body->phase *= 0.6 + 0.8 * I;
    /* Exact also in memcheck, which has 64 bits for it. */
    body->weight *= 1.5L;
    body->name[step % 4]++;
}

static void tell(const Body *body)
{
    printf("%s %.17g %.17g %ld %d %d %d %d %.17g %.17g %.21Lg\n", body->name, body->place.x,
           body->motion.speed[1].x, body->motion.steps, body->red, body->green, body->kind,
           body->alive, creal(body->phase), cimag(body->phase), body->weight);
}

int main(void)
{
    /* Static, so that its padding is zero, and copied with its padding: memcheck reports bytes that were never set. */
    static const Body start = {.name = "body", .place = {1, 2, 3}, .motion = {{{4, 5, 6}, {7, 8, 9}}, 0},
                               .kind = FLUID, .phase = 1.0, .weight = 2.5L};
    Body body;
    Body *planets;
    int i;

    memcpy(&body, &start, sizeof body);
#pragma cppc init
    memcpy(&sun, &start, sizeof sun);
    sun.place.x = 100;
    planets = malloc(3 * sizeof *planets);
    for (i = 0; i < 3; i++)
        memcpy(&planets[i], &start, sizeof start);
    planets[2].name[0] = 'z';
#pragma cppc register(i, body, sun, planets[3])
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        move(&body, i);
        move(&sun, i + 1);
        move(&planets[i % 3], i + 2);
        tell(&body);
        tell(&sun);
        tell(&planets[i % 3]);
    }
    free(planets);
#pragma cppc shutdown
    return 0;
}
