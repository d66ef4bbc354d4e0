import CoreData

/// The values that a deleted model left behind: those of attributes with `.preserveValueOnDeletion`.
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
    private let preserved: PreservedValues

    init(_ change: NSPersistentHistoryChange) { preserved = PreservedValues(change.tombstone ?? [:]) }

    /// Returns the value of a property; nil if the model left none behind.
    public subscript<Value>(keyPath: KeyPath<Model, Value>) -> Value? {
        KeyPathProbe.install
        guard let name = KeyPathNames.knownName(of: keyPath), let value = preserved.values[name] else {
            return nil
        }
        let object = Model._$template.makeObject()
        object.setPrimitiveValue(value, forKey: name)
        return Model(_$backing: object)[keyPath: keyPath]
    }
}

/// The values by name, as Core Data has them.
private final class PreservedValues: @unchecked Sendable {
    let values: [AnyHashable: Any]

    init(_ values: [AnyHashable: Any]) { self.values = values }
}
