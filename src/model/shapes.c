// SPDX-License-Identifier: MIT
// The shapes of a model, and which bodies can have them.
#include "base/fail.h"
#include "model/model.h"
#include "shape/shape.h"

carom_status carom_model_add_shape(carom_model *model, const char *name, const carom_shape_def *def,
                                   carom_model_shape *out, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = crm_model_check_open(model, error);
    if (status != CAROM_OK) return status;
    int index = model->shapes.count;
    char text[CRM_BODY_TEXT];
    status = crm_names_check(&model->shape_names, "shape", name, index, text, error);
    if (status != CAROM_OK) return status;
    // Room first, so that nothing can fail once the name is in the table.
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->shapes, (ptrdiff_t)index + 1))
        return crm_fail_memory(error, "shapes", ((size_t)index + 1) * sizeof(crm_model_shape));
    crm_model_shape shape = {.name = name};
    carom_error why;
    status = carom_shape_create(def, &model->allocator, &shape.shape, &why);
    if (status != CAROM_OK) return crm_fail(error, status, "%s: %s", text, why.text);
    status = crm_names_add(&model->allocator, &model->shape_names, &shape.name, index, error);
    if (status != CAROM_OK) {
        carom_shape_destroy(shape.shape);
        return status;
    }
    (void)CRM_ARRAY_PUSH(&model->allocator, &model->shapes, shape);
    if (out != NULL) *out = (carom_model_shape){index};
    return CAROM_OK;
}

carom_status crm_model_check_shape(const carom_model *model, const char *body, carom_body_kind kind,
                                   carom_model_shape shape, carom_error *error) {
    if (shape.index == -1) return CAROM_OK;
    if (shape.index < 0 || shape.index >= model->shapes.count)
        return crm_refuse(error, "%s: there is no shape %d; the model has %d shapes", body, shape.index,
                          model->shapes.count);
    if (kind == CAROM_BODY_POINT)
        return crm_refuse(error, "%s: a point has no extension and so no shape; make it free, or leave the shape out",
                          body);
    carom_shape_kind form = carom_shape_get_kind(model->shapes.items[shape.index].shape);
    bool bounded = crm_shape_is_convex(form) || form == CAROM_SHAPE_COMPOUND;
    if (!bounded && kind != CAROM_BODY_FIXED)
        return crm_refuse(error, "%s: a %s is static geometry without mass, only a fixed body can have it", body,
                          carom_shape_kind_name(form));
    return CAROM_OK;
}

// ---- accessors

static bool is_shape(const carom_model *model, carom_model_shape shape) {
    return shape.index >= 0 && shape.index < model->shapes.count;
}

int carom_model_shape_count(const carom_model *model) {
    return model->shapes.count;
}

const carom_shape *carom_model_get_shape(const carom_model *model, carom_model_shape shape) {
    return is_shape(model, shape) ? model->shapes.items[shape.index].shape : NULL;
}

const char *carom_model_shape_name(const carom_model *model, carom_model_shape shape) {
    return is_shape(model, shape) ? model->shapes.items[shape.index].name : NULL;
}
