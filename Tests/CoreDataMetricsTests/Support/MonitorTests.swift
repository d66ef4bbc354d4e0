#if Metrics
import Testing

/// One test after the other: with two monitors each tracer would find the other's spans as parents.
@Suite("Monitors", .serialized)
enum MonitorTests {}
#endif
