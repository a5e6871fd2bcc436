#include "support/check.h"
TEST(none){}
TEST_MAIN(CASE(none))
