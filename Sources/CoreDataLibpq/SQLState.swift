import CLibpq

extension PostgreSQLError {
    /// The state of an error for a prepared statement that the session does not have.
    static let unknownStatement = "26000"

    /// Makes the error of a result.
    ///
    /// - Parameters:
    ///   - sql: The statement of the result.
    ///   - loss: The outcome of the transaction, as far as it is known, if the connection is lost; nil if it
    ///     is not lost.
    ///   - wasCancelled: Whether this process has asked the server to cancel the statement.
    init(
        _ result: OpaquePointer, sql: String?, loss: Outcome?, wasCancelled: Bool, _ redaction: Redaction
    ) {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) }
        }
        let state = field("C")
        // Details are left out, since they quote values. These name what depends on a table or a column.
        let isDependence = ["2BP01", "0A000"].contains(state)
        let details = isDependence ? field("D").map { ": " + $0.replacing("\n", with: "; ") } : nil
        let message = (field("M") ?? String(cString: PQresultErrorMessage(result))) + (details ?? "")
        let kind: Kind
        if let loss {
            kind = .connectionLost(outcome: loss)
        } else {
            kind =
                switch state {
                case "23505": .unique(constraint: field("n"))
                case "57014": wasCancelled ? .interrupted : .timeout
                // Other unsupported features have this state, too. The name of the server's function, which
                // is not translated, tells them apart.
                case "0A000":
                    switch field("R") {
                    case "RevalidateCachedQuery": .staleStatement
                    // A replica has been asked to begin a transaction that writes.
                    case "check_transaction_read_only", "check_XactReadOnly": .notPrimary
                    default: .other
                    }
                default: state.map { Kind(state: $0) } ?? .other
                }
        }
        self.init(kind: kind, state: state, message: redaction.redacted(message), sql: sql)
    }
}

extension PostgreSQLError.Kind {
    /// Makes the kind of an error from its state alone.
    init(state: String) {
        self =
            switch state {
            case "40001": .serialization
            case "40P01": .deadlock
            case "25006": .notPrimary
            case PostgreSQLError.unknownStatement: .staleStatement
            case "55P03", "57014": .timeout
            case "53300", "57P03": .busy
            case "53100": .diskFull
            // Of arguments of logarithms and powers, too.
            case "22003", "2201E", "2201F": .outOfRange
            case "42703", "42P01": .undefined
            case "22012": .divisionByZero
            case "22021", "22P05": .invalidText
            default: state.hasPrefix("23") ? .constraint : .other
            }
    }
}
