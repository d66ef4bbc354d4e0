import CLibpq

extension PostgreSQLConnection {
    /// Runs statements in one round trip and, outside of a transaction, as one transaction: the server does
    /// all of them or, after an error or if a step did not affect the expected rows, none.
    ///
    /// - Throws: The first error. `connectionLost(outcome: .known)` if it is certain that nothing was
    ///   committed.
    package func run(_ steps: [PipelineStep]) throws(PostgreSQLError) -> PipelineOutcome {
        var trip = try Trip(steps, on: self, isStreaming: false)
        var results = results(of: trip)
        if trip.canRepeat {
            rollBack(trip)
            trip = try Trip(steps, on: self, isStreaming: false)
            results = self.results(of: trip)
        }
        guard let failure = trip.failure else {
            return .done(zip(steps, results).map(StepResult.init(of:_:)))
        }
        rollBack(trip)
        let failed = trip.answered
        if failure.kind == .divisionByZero, failed < steps.count, steps[failed].expectation != .any {
            return .refused(step: failed)
        }
        throw failure
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
