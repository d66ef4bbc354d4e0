import CoreDataModelFormat
import CoreDataStore

extension NSManagedObject {
    /// Traps if words, row, layout and flags contradict each other; only in builds with `CORE_DATA_CHECKS`.
    @inline(__always)
    final func checkInvariants() {
        #if CORE_DATA_CHECKS
        precondition(words == row?.words, "an object of \(runtime.name) reads the words of another row")
        precondition(
            layoutID == runtime.layout.id || layoutID == Self.trackedLayoutID,
            "an object of \(runtime.name) has the layout of another entity")
        guard let row else {
            precondition(!flags.ownRow, "a fault of \(runtime.name) owns a row that it does not have")
            return
        }
        precondition(
            runtime.compiled.includes(row.entity), "an object of \(runtime.name) has a row of another entity")
        precondition(
            !flags.ownRow || row !== committed && row !== eventBase,
            "an object of \(runtime.name) would write to a row that is shared")
        row.checkInvariants()
        #endif
    }
}
