import CoreData
import Foundation

/// An object that reports every call of its life to its context's log.
final class Witness: NSManagedObject {
    private var log: CallLog? { CallLog.of(self) }

    private func note(_ call: String) { log?.calls.append(call) }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        note("awakeFromInsert")
        log?.awakeFromInsert(self)
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        note("awakeFromFetch")
        log?.awakeFromFetch(self)
    }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        note("awakeFromSnapshotEvents \(flags.rawValue)")
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        note("prepareForDeletion")
        log?.prepareForDeletion(self)
    }
    override func willSave() {
        super.willSave()
        note("willSave")
        log?.willSave(self)
    }
    override func didSave() {
        super.didSave()
        note("didSave")
        log?.didSave(self)
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note("willTurnIntoFault")
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        note("didTurnIntoFault")
    }
    override func validateForInsert() throws {
        note("validateForInsert")
        try super.validateForInsert()
    }
    override func validateForUpdate() throws {
        note("validateForUpdate")
        try super.validateForUpdate()
    }
    override func validateForDelete() throws {
        note("validateForDelete")
        try super.validateForDelete()
    }
}

extension TestStack {
    /// Nodes with a name, a number, a transient note, a parent and children.
    static func witnesses() throws -> (TestStack, CallLog) {
        let stack = try TestStack(
            """
            Node
              name string
              number int64 = 0
              note string transient
              children ->> Node.parent cascade
              parent -> Node.children
            """, classes: ["Node": Witness.self])
        return (stack, CallLog(in: stack.context))
    }
}
