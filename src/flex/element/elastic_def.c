// SPDX-License-Identifier: MIT
// What flexible bodies are made of: names, defaults, what is refused.
#include <math.h>

#include "base/fail.h"
#include "carom/mesh.h"

const char *carom_elastic_model_name(carom_elastic_model model) {
    static const char *const names[CAROM_ELASTIC_MODEL_COUNT] = {
        [CAROM_ELASTIC_NEO_HOOKEAN] = "neo_hookean",
        [CAROM_ELASTIC_STVK] = "stvk",
        [CAROM_ELASTIC_COROTATED] = "corotated",
    };
    return (int)model >= 0 && model < CAROM_ELASTIC_MODEL_COUNT ? names[model] : "?";
}

void carom_elastic_from_young(double young, double poisson, double *lambda, double *mu) {
    *lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    *mu = young / (2.0 * (1.0 + poisson));
}

carom_elastic_def carom_elastic_def_default(void) {
    carom_elastic_def def = {.struct_size = sizeof def, .model = CAROM_ELASTIC_NEO_HOOKEAN, .density = 1000.0};
    carom_elastic_from_young(1e6, 0.3, &def.lambda, &def.mu);
    return def;
}

carom_status carom_elastic_check(const carom_elastic_def *elastic, carom_error *error) {
    CRM_NEED(elastic, error);
    carom_status status = CRM_CHECK_STRUCT(elastic, carom_elastic_def, error);
    if (status != CAROM_OK) return status;
    if ((int)elastic->model < 0 || elastic->model >= CAROM_ELASTIC_MODEL_COUNT)
        return crm_refuse(error, "elastic: there is no model %d; take neo_hookean, stvk or corotated",
                          (int)elastic->model);
    if (!(elastic->mu > 0.0) || !isfinite(elastic->mu))
        return crm_refuse(error, "elastic: mu is %g Pa, must be positive and finite", elastic->mu);
    if (!(elastic->lambda > -2.0 / 3.0 * elastic->mu) || !isfinite(elastic->lambda))
        return crm_refuse(error,
                          "elastic: lambda is %g Pa, must be finite and above -2/3 mu = %g Pa (poisson in -1 ... 0.5)",
                          elastic->lambda, -2.0 / 3.0 * elastic->mu);
    if (!(elastic->density > 0.0) || !isfinite(elastic->density))
        return crm_refuse(error, "elastic: density is %g kg/m^3, must be positive and finite", elastic->density);
    if (!(elastic->viscosity >= 0.0) || !isfinite(elastic->viscosity))
        return crm_refuse(error, "elastic: viscosity is %g s, must be finite and not negative", elastic->viscosity);
    return CAROM_OK;
}
