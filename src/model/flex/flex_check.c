// SPDX-License-Identifier: MIT
// What a flexible body must be.
#include <math.h>

#include "base/fail.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "model/model.h"

static carom_status check_vector(const char *text, const char *what, const char *unit, carom_vec3 v,
                                 carom_error *error) {
    if (crm_vec3_finite(v)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is (%g, %g, %g) %s, must be finite", text, what, v.x, v.y, v.z, unit);
}

static carom_status check_numbers(const char *text, const carom_flex_def *def, carom_error *error) {
    carom_status status = check_vector(text, "position", "m", def->position, error);
    if (status == CAROM_OK) status = check_vector(text, "velocity", "m/s", def->velocity, error);
    if (status == CAROM_OK) status = check_vector(text, "spin", "rad/s", def->spin, error);
    if (status != CAROM_OK) return status;
    carom_quat unit;
    if (!crm_quat_normalise(def->attitude, &unit))
        return crm_refuse(error, "%s: attitude is (%g, %g, %g, %g), must be finite and not zero", text, def->attitude.w,
                          def->attitude.x, def->attitude.y, def->attitude.z);
    double determinant = crm_dot(def->stretch.x, crm_cross(def->stretch.y, def->stretch.z));
    if (!crm_mat3_finite(def->stretch) || !(determinant > 0.0) || !isfinite(determinant))
        return crm_refuse(error, "%s: stretch has the determinant %g, must be positive and finite", text, determinant);
    if (!(def->skin >= 0.0) || !isfinite(def->skin))
        return crm_refuse(error, "%s: skin is %g m, must be finite and not negative", text, def->skin);
    if ((int)def->pieces < 0 || def->pieces >= CAROM_FLEX_PIECES_COUNT)
        return crm_refuse(error, "%s: pieces is %d, must be one of carom_flex_pieces", text, (int)def->pieces);
    if ((int)def->start < 0 || def->start >= CAROM_FLEX_START_COUNT)
        return crm_refuse(error, "%s: start is %d, must be one of carom_flex_start", text, (int)def->start);
    return CAROM_OK;
}

static carom_status check_nodes(const char *text, const char *what, int count, const int32_t *nodes, int most,
                                carom_error *error) {
    if (count < 0 || (count > 0 && nodes == NULL))
        return crm_refuse(error, "%s: %s has %d nodes, and no list of them; give one", text, what, count);
    for (int i = 0; i < count; i++)
        if (nodes[i] < 0 || nodes[i] >= most)
            return crm_refuse(error, "%s: %s: there is no node %d; the mesh has %d", text, what, (int)nodes[i], most);
    return CAROM_OK;
}

static carom_status check_attachment(const carom_model *model, const char *text, const carom_flex_attachment *a,
                                     int most, carom_error *error) {
    carom_status status = check_nodes(text, "an attachment", a->node_count, a->nodes, most, error);
    if (status != CAROM_OK || a->body.index == -1) return status;
    status = crm_model_check_body(model, a->body, true, text, error);
    if (status != CAROM_OK) return status;
    const crm_body *body = &model->bodies.items[a->body.index];
    char name[CRM_BODY_TEXT];
    if (body->kind == CAROM_BODY_POINT || body->kind == CAROM_BODY_PLANAR)
        return crm_refuse(error, "%s: is attached to %s, which is a %s body; attach it to a free or fixed one", text,
                          crm_body_text(model, a->body.index, name), carom_body_kind_name(body->kind));
    return CAROM_OK;
}

carom_status crm_flex_check(const carom_model *model, const char *text, const carom_flex_def *def, carom_error *error) {
    carom_error inner = {.text = ""};
    if (def->mesh == NULL) return crm_refuse(error, "%s: it has no mesh; give one", text);
    int nodes = carom_mesh_node_count(def->mesh);
    if (carom_elastic_check(&def->elastic, &inner) != CAROM_OK) return crm_refuse(error, "%s: %s", text, inner.text);
    carom_status status = check_numbers(text, def, error);
    if (status == CAROM_OK) status = check_nodes(text, "fixed", def->fixed_count, def->fixed, nodes, error);
    if (status == CAROM_OK && (def->attachment_count < 0 || (def->attachment_count > 0 && def->attachments == NULL)))
        status =
            crm_refuse(error, "%s: it has %d attachments, and no list of them; give one", text, def->attachment_count);
    for (int i = 0; status == CAROM_OK && i < def->attachment_count; i++)
        status = check_attachment(model, text, &def->attachments[i], nodes, error);
    if (status == CAROM_OK && (def->material.index < -1 || def->material.index >= model->materials.count))
        status = crm_refuse(error, "%s: there is no material %d; the model has %d", text, def->material.index,
                            model->materials.count);
    if (status == CAROM_OK && (double)model->bodies.count + nodes > model->limits.bodies)
        status = crm_refuse(error, "%s: its %d nodes make more than %.0f bodies, which is the limit", text, nodes,
                            model->limits.bodies);
    return status;
}
