import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataTool
import CoreDataValues
import Foundation

/// Values of objects while they are edited.
enum EditValue {
    /// Returns the whole value in the form that a `set` takes.
    static func json(_ object: NSManagedObject, _ slot: PropertySlot, _ names: ObjectNames) -> JSONValue {
        json(object.value(forKey: slot.name), names)
    }

    /// Returns the stored value in the form that a `set` takes.
    static func committed(_ object: NSManagedObject, _ slot: PropertySlot, _ names: ObjectNames) -> JSONValue
    {
        json(object.committedValues(forKeys: [slot.name])[slot.name], names)
    }

    private static func json(_ value: Any?, _ names: ObjectNames) -> JSONValue {
        if let target = value as? NSManagedObject { return .string(names.name(of: target)) }
        return CellValue.json(value)
    }

    /// Returns the value as a cell.
    static func cell(
        _ value: Any?, _ slot: PropertySlot, _ names: ObjectNames, _ source: RowSource
    ) -> JSONValue {
        switch value {
        case nil, is NSNull: return .null
        case let target as NSManagedObject:
            return StoreCell.link(names.name(of: target), title: title(of: target, in: source)).json
        case let members as NSOrderedSet: return StoreCell.count(members.count).json
        case let members as NSSet: return StoreCell.count(members.count).json
        case let data as Data: return StoreCell.data(Data(data.prefix(16)), length: data.count).json
        case let text as String where text.count > 200:
            return StoreCell.text(String(text.prefix(200)), length: text.unicodeScalars.count).json
        case let number as NSNumber where slot.attribute?.type == .boolean: return .boolean(number.boolValue)
        case let number as NSNumber
        where !(number is NSDecimalNumber) && slot.attribute?.type.isWhole == true:
            return StoreCell.json(.integer(number.int64Value))
        default: return CellValue.json(value)
        }
    }

    /// Returns the text by which people know an object, as lists show it; of a deleted one, that in the store.
    static func title(of object: NSManagedObject, in source: RowSource) -> String? {
        guard let key = source.entity(of: object).flatMap(TitleAttribute.slot)?.name else { return nil }
        let value =
            object.isDeleted ? object.committedValues(forKeys: [key])[key] : object.value(forKey: key)
        return value as? String
    }

    /// Returns the name of a composite attribute's composite.
    static func compositeName(
        _ slot: PropertySlot, of object: NSManagedObject, in model: StoreModel
    ) -> String? {
        let declaring = model.compiled[slot.declaringEntity].element
        return declaring.attributes.first { $0.name == slot.name }?.compositeName
    }
}

extension AttributeType {
    var isWhole: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
}
