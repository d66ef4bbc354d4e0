import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataTool
import CoreDataValues
import Foundation

/// The changed objects of a context as a page lists them, read on the context's queue.
struct PendingChanges {
    private let context: NSManagedObjectContext
    private let source: RowSource
    private let names: ObjectNames

    init(_ context: NSManagedObjectContext, _ source: RowSource, _ names: ObjectNames) {
        (self.context, self.source, self.names) = (context, source, names)
    }

    /// The changes, object by object.
    var list: [JSONValue] {
        sorted(context.insertedObjects).map { json($0, "insert") }
            + sorted(context.updatedObjects).map { json($0, "update") }
            + sorted(context.deletedObjects).map { json($0, "delete") }
    }

    private func sorted(_ objects: Set<NSManagedObject>) -> [NSManagedObject] {
        objects.sorted {
            names.name(of: $0).localizedStandardCompare(names.name(of: $1)) == .orderedAscending
        }
    }

    private func json(_ object: NSManagedObject, _ kind: String) -> JSONValue {
        var values: [JSONValue.Member] = []
        if kind != "delete" {
            let changed = object.changedValues()
            for slot in slots(of: object) where changed[slot.name] != nil {
                let stored = object.committedValues(forKeys: [slot.name])[slot.name]
                values.append(
                    .init(
                        slot.name,
                        .object([
                            .init(
                                "from",
                                kind == "insert" ? .null : EditValue.cell(stored ?? nil, slot, names, source)),
                            .init("to", EditValue.cell(object.value(forKey: slot.name), slot, names, source)),
                        ])))
            }
        }
        return .object([
            .init("id", .string(names.name(of: object))), .init("entity", .string(object.entity.name ?? "")),
            .init("kind", .string(kind)), .init("title", title(object)), .init("values", .object(values)),
        ])
    }

    private func title(_ object: NSManagedObject) -> JSONValue {
        EditValue.title(of: object, in: source).map { .string($0) } ?? .null
    }

    private func slots(of object: NSManagedObject) -> [PropertySlot] {
        source.entity(of: object)?.slots ?? []
    }

    /// An object with its pending values, in the form of a record.
    func record(_ object: NSManagedObject) -> JSONValue {
        let values = slots(of: object).compactMap { slot -> JSONValue.Member? in
            if case .fetchedProperty = slot.kind { return nil }
            guard !slot.isTransient else { return nil }
            let value = object.value(forKey: slot.name)
            if slot.isToMany {
                return .init(
                    slot.name, members(value, slot, from: 0, count: ObjectRecord.firstMembers))
            }
            if let text = value as? String { return .init(slot.name, .string(text)) }
            return .init(slot.name, EditValue.cell(value, slot, names, source))
        }
        return .object([
            .init("id", .string(names.name(of: object))), .init("entity", .string(object.entity.name ?? "")),
            .init("title", title(object)), .init("isPending", .boolean(true)),
            .init("values", .object(values)),
        ])
    }

    /// Returns members of a relationship; nil if the object has none of that name.
    func members(of key: String, of object: NSManagedObject, from: Int, count: Int) -> JSONValue? {
        guard let slot = source.entity(of: object)?.slot(named: key), slot.isToMany else { return nil }
        return members(object.value(forKey: key), slot, from: from, count: count)
    }

    private func members(_ value: Any?, _ slot: PropertySlot, from: Int, count: Int) -> JSONValue {
        let unordered = (value as? NSSet)?.allObjects as? [NSManagedObject] ?? []
        // Sets have no order: each part of them has to be one of the same.
        let members = (value as? NSOrderedSet)?.array ?? unordered.sorted { key(of: $0) < key(of: $1) }
        let shown = members.dropFirst(from).prefix(count).map { EditValue.cell($0, slot, names, source) }
        return .object([
            .init("count", .integer(Int64(members.count))), .init("members", .array(Array(shown))),
        ])
    }

    /// Objects of the store come first, by their keys, then new ones.
    private func key(of object: NSManagedObject) -> (Int, Int64, String) {
        let id = object.objectID
        return id.isTemporaryID ? (1, 0, names.name(of: object)) : (0, id.row.key, "")
    }

    /// Returns the bytes of an attribute; nil if it has none.
    func data(of key: String, of object: NSManagedObject) -> Data? {
        guard let slot = source.entity(of: object)?.slot(named: key), slot.attribute != nil else {
            return nil
        }
        let value = object.value(forKey: key)
        return value as? Data ?? (value as? String).map { Data($0.utf8) }
    }

    // MARK: Validation

    /// What the model's rules say against the changes: object, property and reason.
    var problems: [JSONValue] {
        var found: [JSONValue] = []
        for object in sorted(context.insertedObjects) { note(object, &found) { try $0.validateForInsert() } }
        for object in sorted(context.updatedObjects) { note(object, &found) { try $0.validateForUpdate() } }
        for object in sorted(context.deletedObjects) { note(object, &found) { try $0.validateForDelete() } }
        return found
    }

    private func note(
        _ object: NSManagedObject, _ found: inout [JSONValue], _ validate: (NSManagedObject) throws -> Void
    ) {
        do {
            try validate(object)
        } catch {
            let error = error as NSError
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            found += details.map { detail in
                .object([
                    .init("object", .string(names.name(of: object))),
                    .init(
                        "key",
                        (detail.userInfo[NSValidationKeyErrorKey] as? String).map { .string($0) } ?? .null),
                    .init("message", .string(ErrorText.reason(of: detail))),
                ])
            }
        }
    }
}
