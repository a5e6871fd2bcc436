// SPDX-License-Identifier: MIT
// The one place that knows qhull (its reentrant form). qhull leaves by longjmp when it fails and writes to a FILE; both
// end here.
#include <libqhull_r/qhull_ra.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "shape/polytope/hull.h"

// Pp: no warnings about precision. The first is qhull's own choice for three dimensions: merge what is not clearly
// convex. The second triangulates what was merged, the third also accepts wide merges of nearly adjacent points.
static char *const commands[] = {"qhull Pp", "qhull Qt Pp", "qhull Qt Q12 Q14 Pp"};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

typedef struct session {
    qhT qh;
    FILE *messages;
    char text[CAROM_ERROR_TEXT_SIZE];
} session;

// Copies facets to `out`, on the arena. Called between setjmp and the end of `read_facets`: nothing here owns memory
// that a longjmp would lose, as both qhull's and the arena's are freed by their owners.
static crm_hull_outcome copy_facets(qhT *qh, crm_arena *arena, crm_polygons *out) {
    facetT *facet;
    vertexT *vertex, **vertexp;
    int facets = 0, corners = 0;
    FORALLfacets {
        facets++;
        corners += qh_setsize(qh, facet->vertices);
    }
    out->start = CRM_ARENA_ARRAY(arena, int, facets + 1);
    out->corner = CRM_ARENA_ARRAY(arena, int, corners);
    if (out->start == NULL || out->corner == NULL) return CRM_HULL_NO_MEMORY;
    out->count = 0;
    out->normal = NULL;
    out->start[0] = 0;
    int filled = 0;
    FORALLfacets {
        setT *ordered = qh_facet3vertex(qh, facet);
        if (filled + qh_setsize(qh, ordered) > corners) return CRM_HULL_FAILED;
        FOREACHvertex_(ordered) out->corner[filled++] = qh_pointid(qh, vertex->point);
        qh_settempfree(qh, &ordered);
        out->start[++out->count] = filled;
    }
    return CRM_HULL_GOOD;
}

static crm_hull_outcome read_facets(session *s, crm_arena *arena, crm_polygons *out) {
    volatile crm_hull_outcome outcome = CRM_HULL_FAILED;
    if (setjmp(s->qh.errexit) == 0) {
        s->qh.NOerrexit = False;
        outcome = copy_facets(&s->qh, arena, out);
    }
    s->qh.NOerrexit = True;
    return outcome;
}

// All polygons of a closed surface run the same way round; the volume tells which.
static void orient_outward(crm_polygons *polygons, const carom_vec3 *points) {
    double volume = 0.0;
    carom_vec3 origin = points[polygons->corner[0]];
    for (int p = 0; p < polygons->count; p++) {
        const int *corner = polygons->corner + polygons->start[p];
        carom_vec3 area = crm_area_vector(polygons->start[p + 1] - polygons->start[p], corner, points);
        volume += crm_dot(area, crm_sub(points[corner[0]], origin));
    }
    if (volume >= 0.0) return;
    for (int p = 0; p < polygons->count; p++)
        for (int a = polygons->start[p], b = polygons->start[p + 1] - 1; a < b; a++, b--) {
            int corner = polygons->corner[a];
            polygons->corner[a] = polygons->corner[b];
            polygons->corner[b] = corner;
        }
}

static crm_hull_outcome run(session *s, int count, double *coordinates, int attempt, crm_arena *arena,
                            crm_polygons *out) {
    qh_zero(&s->qh, s->messages);
    int code = qh_new_qhull(&s->qh, 3, count, coordinates, False, commands[attempt], NULL, s->messages);
    crm_hull_outcome outcome = code == qh_ERRmem ? CRM_HULL_NO_MEMORY : CRM_HULL_FAILED;
    if (code == qh_ERRnone) outcome = read_facets(s, arena, out);
    int left_count, left_bytes;
    s->qh.NOerrexit = True;
    qh_freeqhull(&s->qh, !qh_ALL);
    qh_memfreeshort(&s->qh, &left_count, &left_bytes);
    return outcome;
}

crm_hull_outcome crm_qhull(int count, const carom_vec3 *points, int attempt, crm_arena *arena, crm_polygons *out,
                           char sentence[CAROM_ERROR_TEXT_SIZE]) {
    sentence[0] = '\0';
    if (attempt >= COMMANDS) return CRM_HULL_FAILED;
    session *s = crm_arena_take_zeroed(arena, 1, sizeof *s);
    double *coordinates = CRM_ARENA_ARRAY(arena, double, 3 * (ptrdiff_t)count);
    if (s == NULL || coordinates == NULL) return CRM_HULL_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        coordinates[3 * i] = points[i].x;
        coordinates[3 * i + 1] = points[i].y;
        coordinates[3 * i + 2] = points[i].z;
    }
    // qhull insists on a FILE; what does not fit into the text is lost.
    s->messages = fmemopen(s->text, sizeof s->text, "w");
    if (s->messages == NULL) return CRM_HULL_NO_MEMORY;
    crm_hull_outcome outcome = run(s, count, coordinates, attempt, arena, out);
    fclose(s->messages);
    s->text[sizeof s->text - 1] = '\0';
    s->text[strcspn(s->text, "\n")] = '\0';
    if (outcome == CRM_HULL_FAILED) snprintf(sentence, CAROM_ERROR_TEXT_SIZE, "%s", s->text);
    if (outcome == CRM_HULL_GOOD) orient_outward(out, points);
    return outcome;
}
