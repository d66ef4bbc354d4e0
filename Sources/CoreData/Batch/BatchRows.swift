import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The rows of a batch insertion, made one at a time from the request's dictionaries or by its handler.
struct BatchRows {
    private enum Source {
        case dictionaries([[String: Any]], next: Int)
        case dictionaryHandler((NSMutableDictionary) -> Bool)
        case objectHandler((NSManagedObject) -> Bool, NSManagedObject.Type)
    }

    private let runtime: EntityRuntime
    private var source: Source

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
            // The app may have kept the object, and may change it later.
            let isOurs = isKnownUniquelyReferenced(&object)
            return row(object, isOurs: isOurs)
        }
    }

    // MARK: Dictionaries

    private func row(_ values: [String: Any]) -> BatchRowAnswer {
        let row = runtime.insertionDefaults.row.clone()
        var given = ColumnMask()
        for (key, value) in values {
            guard let slot = runtime.slot(named: key) else {
                return .invalid(
                    "\(runtime.name) has no attribute \"\(key)\": a batch insertion takes keys of the model only"
                )
            }
            if let problem = problem(with: slot) { return .invalid(problem) }
            // A transient value is in no store.
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

    private func problem(with slot: PropertySlot) -> String? {
        // Called for every value of every row, so no text is made unless it is needed.
        if let attribute = slot.attribute, attribute.derivation == nil { return nil }
        let reason =
            slot.attribute == nil
            ? "no attribute: a batch insertion does not set relationships" : "derived: the store computes it"
        return "\(runtime.name).\(slot.name) is \(reason)"
    }

    // MARK: Objects

    /// Returns the row of an object.
    ///
    /// Values that are nil count as not given, as in a save.
    private func row(_ object: NSManagedObject, isOurs: Bool) -> BatchRowAnswer {
        guard let values = object.row else { return .end }
        for index in runtime.relationshipSlots {
            let slot = runtime.slot(at: index)
            let isSet =
                slot.column.map { !values.isNull($0) }
                ?? ((object.side(at: index) as? ToManyValue)?.isChanged ?? false)
            if isSet, let problem = problem(with: slot) { return .invalid(problem) }
        }
        return .row(BatchRow(values: isOurs ? values : values.clone(), given: values.filledColumns))
    }
}
