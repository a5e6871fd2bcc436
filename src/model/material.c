// SPDX-License-Identifier: MIT
// Materials and what two of them do together.
#include <math.h>

#include "base/fail.h"
#include "model/model.h"

carom_material_def carom_material_def_default(void) {
    return (carom_material_def){.struct_size = sizeof(carom_material_def), .friction = 0.5, .restitution = 0.0};
}

static carom_status check_numbers(const char *what, double friction, double restitution, carom_error *error) {
    if (!(friction >= 0.0) || !isfinite(friction))
        return crm_refuse(error, "%s: friction is %g, must be finite and not negative", what, friction);
    if (!(restitution >= 0.0 && restitution <= 1.0))
        return crm_refuse(error, "%s: restitution is %g, must be between 0 and 1", what, restitution);
    return CAROM_OK;
}

carom_status carom_model_add_material(carom_model *model, const carom_material_def *def, carom_material *out,
                                      carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_material_def, error);
    int index = model->materials.count;
    char text[CRM_BODY_TEXT];
    if (status == CAROM_OK) status = crm_names_check(&model->material_names, "material", def->name, index, text, error);
    if (status == CAROM_OK) status = check_numbers("material", def->friction, def->restitution, error);
    if (status != CAROM_OK) return status;
    crm_material material = {.def = *def};
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->materials, (ptrdiff_t)index + 1))
        return crm_fail_memory(error, "materials", ((size_t)index + 1) * sizeof material);
    status = crm_names_add(&model->allocator, &model->material_names, &material.def.name, index, error);
    if (status != CAROM_OK) return status;
    (void)CRM_ARRAY_PUSH(&model->allocator, &model->materials, material);
    if (out != NULL) *out = (carom_material){index};
    return CAROM_OK;
}

static carom_status check_pair(const carom_model *model, carom_material a, carom_material b, carom_error *error) {
    int count = model->materials.count;
    if (a.index >= -1 && a.index < count && b.index >= -1 && b.index < count) return CAROM_OK;
    return crm_refuse(error, "material pair: there is no material %d; the model has %d",
                      a.index < -1 || a.index >= count ? a.index : b.index, count);
}

static crm_material_pair *find_pair(const carom_model *model, int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < model->material_pairs.count; i++) {
        crm_material_pair *pair = &model->material_pairs.items[i];
        if (pair->a == low && pair->b == high) return pair;
    }
    return NULL;
}

carom_status carom_model_set_material_pair(carom_model *model, carom_material a, carom_material b, double friction,
                                           double restitution, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = check_pair(model, a, b, error);
    if (status == CAROM_OK) status = check_numbers("material pair", friction, restitution, error);
    if (status != CAROM_OK) return status;
    crm_material_pair *pair = find_pair(model, a.index, b.index);
    crm_material_pair value = {a.index < b.index ? a.index : b.index, a.index < b.index ? b.index : a.index, friction,
                               restitution};
    if (pair != NULL)
        *pair = value;
    else if (!CRM_ARRAY_PUSH(&model->allocator, &model->material_pairs, value))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a pair of materials");
    return CAROM_OK;
}

static carom_material_def material_of(const carom_model *model, carom_material material) {
    return material.index < 0 ? carom_material_def_default() : model->materials.items[material.index].def;
}

// Of two equal coefficients each rule but the product gives the coefficient itself, without rounding.
static double combine(carom_combination rule, double a, double b) {
    switch (rule) {
    case CAROM_COMBINE_MEAN:
        return 0.5 * a + 0.5 * b;
    case CAROM_COMBINE_LEAST:
        return fmin(a, b);
    case CAROM_COMBINE_LARGEST:
        return fmax(a, b);
    case CAROM_COMBINE_PRODUCT:
        return a * b;
    default:
        return a == b ? a : sqrt(a * b);
    }
}

carom_status carom_model_get_material_pair(const carom_model *model, carom_material a, carom_material b,
                                           double *friction, double *restitution, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_pair(model, a, b, error);
    if (status != CAROM_OK) return status;
    const crm_material_pair *pair = find_pair(model, a.index, b.index);
    if (pair != NULL) {
        *friction = pair->friction;
        *restitution = pair->restitution;
        return CAROM_OK;
    }
    carom_material_def first = material_of(model, a), second = material_of(model, b);
    *friction = combine(model->friction_rule, first.friction, second.friction);
    *restitution = combine(model->restitution_rule, first.restitution, second.restitution);
    return CAROM_OK;
}
