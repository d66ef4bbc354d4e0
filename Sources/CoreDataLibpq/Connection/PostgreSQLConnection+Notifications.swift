import CLibpq

extension PostgreSQLConnection {
    /// The socket, for waiting until it can be read.
    var socket: Int32 { PQsocket(handle) }

    /// Returns the payloads of the notifications that have arrived, without waiting.
    func notifications() throws(PostgreSQLError) -> [String] {
        guard PQconsumeInput(handle) == 1 else { throw sendError(nil, outcome: .known) }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }
}
