# The fuzz targets: NAME_fuzz.c, which takes the inputs in corpus/NAME to begin
# with. The unit tests run each of those inputs once.

set(FUZZ_TARGETS
    cache
    configuration
    descriptor
    option_text
    pipeline
    reproducer
    signature
)
