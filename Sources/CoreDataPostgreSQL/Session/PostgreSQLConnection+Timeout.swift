import CoreDataLibpq
import CoreDataSQL

extension PostgreSQLConnection {
    /// Has statements fail that wait longer for the lock of another session.
    func setLockTimeout(_ seconds: Double) throws(PostgreSQLError) {
        let milliseconds = Int64((seconds * 1000).rounded(.up).clamped(to: 1...Double(Int32.max)))
        try run("SELECT set_config('lock_timeout', ?, false)", ParameterList("\(milliseconds)"))
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
