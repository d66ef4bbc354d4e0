#if Studio
/// How much, and for how long, the server takes from one who asks.
package struct ServerLimits: Sendable {
    package var connections = 32
    package var headBytes = 16 << 10
    package var headFields = 64
    package var bodyBytes = 8 << 20
    /// From the first byte of a head, or the beginning of a connection, to the end of the head.
    package var headTime = Duration.seconds(10)
    package var bodyTime = Duration.seconds(60)
    /// Between two requests.
    package var idleTime = Duration.seconds(120)

    package init() {}
}
#endif
