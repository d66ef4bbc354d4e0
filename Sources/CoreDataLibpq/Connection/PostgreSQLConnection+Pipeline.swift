import CLibpq

extension PostgreSQLConnection {
    /// Runs statements in one round trip and, outside of a transaction, as one transaction: the server does
    /// all of them or, after an error or if a step did not affect the expected rows, none.
    ///
    /// - Throws: The first error. `connectionLost(outcome: .known)` if it is certain that nothing was
    ///   committed.
    package func run(_ steps: [PipelineStep]) throws(PostgreSQLError) -> PipelineOutcome {
        try run { trip throws(PostgreSQLError) in
            for step in steps { try trip.send(step) }
            return true
        }
    }

    /// Runs the statements that the closure sends, as `run` with a list does.
    ///
    /// - Parameter send: Sends the statements; returns false if none is to be done. It may be called twice.
    package func run(
        _ send: (Trip) throws(PostgreSQLError) -> Bool
    ) throws(PostgreSQLError) -> PipelineOutcome {
        guard var trip = try sent(send) else { return .abandoned }
        var results = results(of: trip)
        if trip.canRepeat {
            rollBack(trip)
            guard let again = try sent(send) else { return .abandoned }
            trip = again
            results = self.results(of: trip)
        }
        let expectations = trip.expectations
        guard let failure = trip.failure else {
            return .done(zip(expectations, results).map(StepResult.init(_:_:)))
        }
        rollBack(trip)
        let failed = trip.answered
        if failure.kind == .divisionByZero, failed < expectations.count, expectations[failed] != .any {
            return .refused(step: failed)
        }
        throw failure
    }

    private func sent(_ send: (Trip) throws(PostgreSQLError) -> Bool) throws(PostgreSQLError) -> Trip? {
        let trip = Trip(on: self, isStreaming: false)
        return try trip.sendAll(send) ? trip : nil
    }

    private func results(of trip: Trip) -> [ServerResult] {
        var results: [ServerResult] = []
        while let result = trip.receive() { results.append(ServerResult(result)) }
        return results
    }

    /// Ends the transaction that a step began and the error of a later one aborted.
    private func rollBack(_ trip: Trip) {
        if trip.beganIdle { rollback() }
    }
}
