import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The rows of a batch insertion, made one at a time from whatever the request has.
struct BatchRows {
    private enum Source {
        case dictionaries([[String: Any]], next: Int)
        case dictionaryHandler((NSMutableDictionary) -> Bool)
        case objectHandler((NSManagedObject) -> Bool, NSManagedObject.Type)
    }

    private let runtime: EntityRuntime
    private var source: Source
    /// The keys of the dictionary before, in its order: the next one mostly has the same, in the same order.
    private var keys: [Key] = []

    private struct Key {
        let name: String
        let slot: PropertySlot
        /// Why no dictionary may have the key.
        let problem: String?
    }

    init(_ request: NSBatchInsertRequest, _ runtime: EntityRuntime) {
        self.runtime = runtime
        if let handler = request.managedObjectHandler {
            source = .objectHandler(handler, runtime.objectClass)
        } else if let handler = request.dictionaryHandler {
            source = .dictionaryHandler(handler)
        } else {
            source = .dictionaries(request.objectsToInsert ?? [], next: 0)
        }
    }

    mutating func next() -> BatchRowAnswer {
        switch source {
        case .dictionaries(let dictionaries, let index):
            guard index < dictionaries.count else { return .end }
            source = .dictionaries(dictionaries, next: index + 1)
            return row(dictionaries[index])
        case .dictionaryHandler(let handler):
            let dictionary = RowDictionary()
            if handler(dictionary) { return .end }
            return row(dictionary.values)
        case .objectHandler(let handler, let objectClass):
            var object = objectClass.init(_made: runtime.entity, in: nil)
            if handler(object) { return .end }
            // The app may have kept the object, to do with it what it likes.
            return row(object, isOurs: isKnownUniquelyReferenced(&object))
        }
    }

    // MARK: Dictionaries

    private mutating func row(_ values: [String: Any]) -> BatchRowAnswer {
        let row = runtime.insertionDefaults.row.clone()
        var given = ColumnMask()
        var position = 0
        for (name, value) in values {
            guard knows(name, at: position) else {
                return .invalid(
                    "\(runtime.compiled.name) has no attribute \"\(name)\": a batch insertion takes keys of the model only"
                )
            }
            if let problem = keys[position].problem { return .invalid(problem) }
            let slot = keys[position].slot
            position += 1
            // A transient value has no place in a store.
            guard let column = slot.column else { continue }
            do throws(UnacceptableValue) {
                try ValueBox.write(value, to: row, column: column, of: runtime, slot: slot)
            } catch {
                return .invalid(error.message)
            }
            given.insert(column)
        }
        return .row(BatchRow(values: row, given: given))
    }

    /// Has the key at a position be one of the model's; false if there is none of the name.
    private mutating func knows(_ name: String, at position: Int) -> Bool {
        if position < keys.count, keys[position].name == name { return true }
        guard let slot = runtime.slot(named: name) else { return false }
        let key = Key(name: name, slot: slot, problem: problem(with: slot))
        if position < keys.count { keys[position] = key } else { keys.append(key) }
        return true
    }

    private func problem(with slot: PropertySlot) -> String? {
        if let attribute = slot.attribute, attribute.derivation == nil { return nil }
        let reason =
            slot.attribute == nil
            ? "no attribute: a batch insertion does not set relationships" : "derived: the store computes it"
        return "\(runtime.compiled.name).\(slot.name) is \(reason)"
    }

    // MARK: Objects

    /// What is nil counts as not given, as in a save.
    private func row(_ object: NSManagedObject, isOurs: Bool) -> BatchRowAnswer {
        guard let values = object.row else { return .end }
        for index in runtime.relationshipSlots {
            let slot = runtime.compiled.slots[index]
            let isSet =
                slot.column.map { !values.isNull($0) }
                ?? ((object.side(at: index) as? ToManyValue)?.isChanged ?? false)
            if isSet, let problem = problem(with: slot) { return .invalid(problem) }
        }
        return .row(BatchRow(values: isOurs ? values : values.clone(), given: values.filledColumns))
    }
}
