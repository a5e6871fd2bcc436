// SPDX-License-Identifier: MIT
#include "reference/motion/impact_path.h"

#include "math/mat3.h"

typedef struct motion {
    wide3 u, j;
    wide p, work;
} motion;

typedef struct setting {
    wide3 k[3], n; // rows of K
    wide mu;
    bool straight;
    wide3 c; // dj/dp of a straight stretch
} setting;

static wide3 times(const setting *s, wide3 a) {
    return (wide3){wide3_dot(s->k[0], a), wide3_dot(s->k[1], a), wide3_dot(s->k[2], a)};
}

static wide3 slip_of(const setting *s, wide3 u) {
    return wide3_along(u, -wide3_dot(s->n, u), s->n);
}

static motion rate(const setting *s, const motion *m) {
    wide3 c = s->straight ? s->c : wide3_along(s->n, -s->mu, wide3_unit(slip_of(s, m->u)));
    return (motion){times(s, c), c, 1.0L, wide3_dot(s->n, m->u)};
}

static motion along(const motion *a, wide h, const motion *b) {
    return (motion){wide3_along(a->u, h, b->u), wide3_along(a->j, h, b->j), a->p + h * b->p, a->work + h * b->work};
}

// Gragg's modified midpoint rule with 2, 4, ..., 20 substeps, extrapolated in the square of the substep; `change` is
// what the last column changed of the velocity.
static motion step(const setting *s, const motion *from, wide h, wide *change) {
    enum { columns = 10 };
    motion table[columns];
    for (int k = 0; k < columns; k++) {
        int count = 2 * (k + 1);
        wide part = h / count;
        motion slope = rate(s, from), before = *from, now = along(from, part, &slope);
        for (int i = 1; i < count; i++) {
            slope = rate(s, &now);
            motion next = along(&before, 2.0L * part, &slope);
            before = now;
            now = next;
        }
        slope = rate(s, &now);
        motion last = along(&before, part, &slope), sum = along(&now, 1.0L, &last), zero = {.p = 0.0L};
        table[k] = along(&zero, 0.5L, &sum);
        for (int i = k - 1; i >= 0; i--) {
            wide ratio = (wide)(k + 1) / (i + 1), weight = 1.0L / (ratio * ratio - 1.0L);
            motion difference = along(&table[i + 1], -1.0L, &table[i]);
            table[i] = along(&table[i + 1], weight, &difference);
        }
    }
    *change = wide3_norm(wide3_sub(table[0].u, table[1].u));
    return table[0];
}

// Slip has stopped: the rate that keeps it so, or else the one direction in which it grows along itself, looked for all
// round.
static void go_straight(setting *s, impact_path *path) {
    wide3 x, y;
    wide3_tangents(s->n, &x, &y);
    wide3 kx = times(s, x), ky = times(s, y), kn = times(s, s->n);
    wide a = wide3_dot(x, kx), b = wide3_dot(x, ky), d = wide3_dot(y, ky), bx = wide3_dot(x, kn), by = wide3_dot(y, kn);
    wide determinant = a * d - b * b, sx = -(d * bx - b * by) / determinant, sy = -(a * by - b * bx) / determinant;
    s->straight = true;
    path->sticks = hypotl(sx, sy) <= s->mu;
    path->slides_off = !path->sticks;
    for (int i = 0; i < 3600 && path->slides_off; i++) {
        wide ends[2], low = i * acosl(-1.0L) / 1800.0L, high = (i + 1) * acosl(-1.0L) / 1800.0L, growth = 0.0L;
        for (int rotation = 0; rotation < 82; rotation++) {
            wide angle = rotation == 0 ? low : rotation == 1 ? high : 0.5L * (low + high);
            sx = cosl(angle);
            sy = sinl(angle);
            wide fx = bx - s->mu * (a * sx + b * sy), fy = by - s->mu * (b * sx + d * sy);
            wide across = sx * fy - sy * fx;
            growth = sx * fx + sy * fy;
            if (rotation < 2)
                ends[rotation] = across;
            else if ((across > 0.0L) == (ends[0] > 0.0L))
                low = angle;
            else
                high = angle;
            if (rotation == 1 && (ends[0] > 0.0L) == (ends[1] > 0.0L)) break;
        }
        if ((ends[0] > 0.0L) == (ends[1] > 0.0L) || growth <= 0.0L) continue;
        sx *= -s->mu;
        sy *= -s->mu;
        break;
    }
    s->c = wide3_along(wide3_along(s->n, sx, x), sy, y);
}

// What is left until the goal: Newton's is a velocity, the others an account of impulse or work.
typedef struct account {
    carom_impact_law law;
    wide e, rebound, saved, begin_p, begin_work, target;
    bool restituting;
} account;

static wide left(const account *a, const setting *s, const motion *m) {
    if (!a->restituting) return -wide3_dot(s->n, m->u);
    if (a->law == CAROM_IMPACT_LAW_NEWTON) return a->rebound - wide3_dot(s->n, m->u);
    return a->target - (a->law == CAROM_IMPACT_LAW_POISSON ? m->p : m->work);
}

static bool falls(const account *a, const setting *s, const motion *m) {
    return a->restituting && a->law != CAROM_IMPACT_LAW_NEWTON && wide3_dot(s->n, m->u) < 0.0L;
}

static motion halve(const account *a, const setting *s, const motion *from, wide h, bool falling) {
    wide low = 0.0L, high = h, change;
    for (int i = 0; i < 70; i++) {
        wide middle = 0.5L * (low + high);
        motion m = step(s, from, middle, &change);
        bool beyond = falling ? falls(a, s, &m) : left(a, s, &m) <= 0.0L;
        *(beyond ? &high : &low) = middle;
    }
    return step(s, from, high, &change);
}

static void restitute(account *a, const motion *m) {
    a->restituting = true;
    if (a->law == CAROM_IMPACT_LAW_POISSON) a->target = m->p + (a->saved += a->e * (m->p - a->begin_p));
    if (a->law == CAROM_IMPACT_LAW_STRONGE) a->target = m->work + (a->saved += a->e * a->e * (a->begin_work - m->work));
}

static void compress(account *a, const motion *m) {
    a->restituting = false;
    a->saved = a->target - (a->law == CAROM_IMPACT_LAW_POISSON ? m->p : m->work);
    a->begin_p = m->p;
    a->begin_work = m->work;
}

impact_path impact_path_follow(const carom_impact *impact, carom_impact_law law) {
    carom_mat3 k = impact->matrix;
    setting s = {.k = {{k.x.x, k.y.x, k.z.x}, {k.x.y, k.y.y, k.z.y}, {k.x.z, k.y.z, k.z.z}},
                 .n = wide3_unit((wide3){impact->normal.x, impact->normal.y, impact->normal.z}),
                 .mu = impact->friction};
    motion m = {.u = {impact->velocity.x, impact->velocity.y, impact->velocity.z}};
    account a = {.law = law, .e = impact->restitution, .rebound = -(wide)impact->restitution * wide3_dot(s.n, m.u)};
    impact_path path = {.compressions = 1};
    wide size = wide3_norm(m.u);
    for (;;) {
        wide slip = wide3_norm(slip_of(&s, m.u));
        if (!s.straight && slip < 1e-17L * size) go_straight(&s, &path);
        motion slope = rate(&s, &m);
        wide h = 0.2L * size / wide3_norm(slope.u);
        if (!s.straight) h = fminl(h, 0.2L * slip / wide3_norm(slip_of(&s, slope.u)));
        wide change;
        motion next = step(&s, &m, h, &change);
        for (; !s.straight && change > 1e-18L * size && h > 1e-18L; h *= 0.5L) next = step(&s, &m, 0.5L * h, &change);
        if (falls(&a, &s, &next) && wide3_dot(s.n, m.u) > 1e-17L * size) {
            m = halve(&a, &s, &m, h, true);
            compress(&a, &m);
            path.compressions++;
        } else if (left(&a, &s, &next) <= 0.0L) {
            m = halve(&a, &s, &m, h, false);
            if (a.restituting) break;
            if (path.compressions == 1) path.first_normal = m.p;
            restitute(&a, &m);
            if (impact->restitution == 0.0) break;
        } else {
            m = next;
        }
    }
    path.velocity = m.u;
    path.impulse = m.j;
    path.normal = m.p;
    path.work = m.work;
    return path;
}
