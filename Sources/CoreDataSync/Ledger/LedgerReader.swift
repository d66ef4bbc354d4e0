internal import Synchronization

/// Reads the file of a ledger for a step of the machine.
///
/// A step cannot fail midway. What cannot be read is taken for absent, and the error is kept: the engine asks for it after
/// each step, and throws away what the step has made if there is one.
final class LedgerReader: Sendable {
    private let file: LedgerTables?
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameter file: Nil for a ledger that is in memory.
    init(_ file: LedgerTables?) { self.file = file }

    var hasFile: Bool { file != nil }

    @discardableResult
    func read<Result>(_ body: (LedgerTables) throws -> Result) -> Result? {
        guard let file else { return nil }
        do {
            return try body(file)
        } catch {
            failure.withLock { $0 = $0 ?? error }
            return nil
        }
    }

    /// Takes the first error of reading.
    func takeFailure() -> (any Error)? {
        failure.withLock { failure in
            defer { failure = nil }
            return failure
        }
    }
}
