import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataTool
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
                                "from", kind == "insert" ? .null : EditValue.cell(stored ?? nil, slot, names)),
                            .init("to", EditValue.cell(object.value(forKey: slot.name), slot, names)),
                        ])))
            }
        }
        return .object([
            .init("id", .string(names.name(of: object))), .init("entity", .string(object.entity.name ?? "")),
            .init("kind", .string(kind)), .init("title", title(object)), .init("values", .object(values)),
        ])
    }

    private func title(_ object: NSManagedObject) -> JSONValue {
        guard let key = EditValue.titleKey(of: object) else { return .null }
        let value =
            object.isDeleted ? object.committedValues(forKeys: [key])[key] : object.value(forKey: key)
        return (value as? String).map { .string($0) } ?? .null
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
                let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
                let shown = members.prefix(ObjectRecord.firstMembers).map { EditValue.cell($0, slot, names) }
                return .init(
                    slot.name,
                    .object([
                        .init("count", .integer(Int64(members.count))),
                        .init("members", .array(Array(shown))),
                    ]))
            }
            if let text = value as? String { return .init(slot.name, .string(text)) }
            return .init(slot.name, EditValue.cell(value, slot, names))
        }
        return .object([
            .init("id", .string(names.name(of: object))), .init("entity", .string(object.entity.name ?? "")),
            .init("title", title(object)), .init("isPending", .boolean(true)),
            .init("values", .object(values)),
        ])
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
