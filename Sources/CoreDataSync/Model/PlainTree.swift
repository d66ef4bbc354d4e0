internal import CoreDataSyncCore
internal import Foundation

/// Foundation's value classes and collections of them as a tree that is written in one way only, which
/// archives are not: a dictionary's order in them is another one in each process.
enum PlainTree {
    /// Numbers by which lists begin that stand for what the tree has no kind for.
    private enum Tag: Int64 {
        case decimal, date, uuid, url, unsigned, array, set, dictionary
    }

    /// Returns the tree of an object; nil if it has a part of any other class.
    static func tree(_ object: Any) -> WireValue? {
        switch object {
        case is NSNull: return .null
        case let text as String: return .text(text)
        case let decimal as NSDecimalNumber: return self.decimal(decimal.decimalValue)
        case let decimal as Decimal: return self.decimal(decimal)
        case let number as NSNumber: return self.number(number)
        case let data as Data: return .bytes(Array(data))
        case let date as Date: return tagged(.date, [.double(SyncValue.bits(of: seconds(date)))])
        case let id as UUID: return tagged(.uuid, [.bytes(SyncID(id).bytes)])
        case let url as URL: return tagged(.url, [.text(url.absoluteString)])
        case let set as NSSet: return self.set(set.allObjects)
        case let set as Set<AnyHashable>: return self.set(set.map(\.base))
        case let array as NSArray: return self.array(array.map { $0 })
        case let array as [Any]: return self.array(array)
        case let map as NSDictionary: return dictionary(map.map { ($0.key, $0.value) })
        case let map as [AnyHashable: Any]: return dictionary(map.map { ($0.key.base, $0.value) })
        default: return nil
        }
    }

    private static func seconds(_ date: Date) -> Double { date.timeIntervalSinceReferenceDate }

    private static func tagged(_ tag: Tag, _ fields: [WireValue]) -> WireValue {
        .array([.integer(tag.rawValue)] + fields)
    }

    private static func decimal(_ value: Decimal) -> WireValue? {
        CanonicalDecimal(value).map { tagged(.decimal, [.text($0.text)]) }
    }

    private static func number(_ number: NSNumber) -> WireValue {
        switch String(cString: number.objCType) {
        case "B", "c": return .boolean(number.boolValue)
        case "d", "f": return .double(SyncValue.bits(of: number.doubleValue))
        case "Q" where number.int64Value < 0: return tagged(.unsigned, [.text(number.stringValue)])
        default: return .integer(number.int64Value)
        }
    }

    private static func array(_ members: [Any]) -> WireValue? {
        all(members.map { tree($0) }).map { tagged(.array, $0) }
    }

    private static func set(_ members: [Any]) -> WireValue? {
        all(members.map { tree($0) }).map { tagged(.set, sorted($0)) }
    }

    private static func dictionary(_ members: [(key: Any, value: Any)]) -> WireValue? {
        let pairs = members.map { key, value -> WireValue? in
            guard let key = tree(key), let value = tree(value) else { return nil }
            return .array([key, value])
        }
        return all(pairs).map { tagged(.dictionary, sorted($0)) }
    }

    private static func sorted(_ trees: [WireValue]) -> [WireValue] {
        trees.map { (CBORWriter.bytes(of: $0), $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    /// Returns the values if none is missing.
    private static func all<Value>(_ values: [Value?]) -> [Value]? {
        let present = values.compactMap { $0 }
        return present.count == values.count ? present : nil
    }

    // MARK: Objects

    /// Returns the object of a tree; nil for one that `tree(_:)` has not made.
    static func object(_ tree: WireValue) -> Any? {
        switch tree {
        case .null: return NSNull()
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .double(let bits): return NSNumber(value: Double(bitPattern: bits))
        case .text(let text): return text as NSString
        case .bytes(let bytes): return Data(bytes) as NSData
        case .map: return nil
        case .array(let fields):
            guard case .integer(let number)? = fields.first, let tag = Tag(rawValue: number) else {
                return nil
            }
            return object(tag, Array(fields.dropFirst()))
        }
    }

    private static func object(_ tag: Tag, _ fields: [WireValue]) -> Any? {
        switch (tag, fields.first) {
        case (.decimal, .text(let text)?):
            return CanonicalDecimal(text).map { NSDecimalNumber(decimal: $0.decimal) }
        case (.date, .double(let bits)?):
            return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)) as NSDate
        case (.uuid, .bytes(let bytes)?) where bytes.count == 16: return SyncID(bytes: bytes).uuid as NSUUID
        case (.url, .text(let text)?): return NSURL(string: text)
        case (.unsigned, .text(let text)?): return UInt64(text).map { NSNumber(value: $0) }
        case (.array, _): return all(fields.map { object($0) }).map { NSArray(array: $0) }
        case (.set, _): return all(fields.map { object($0) }).map { NSSet(array: $0) }
        case (.dictionary, _): return dictionary(fields)
        default: return nil
        }
    }

    private static func dictionary(_ pairs: [WireValue]) -> NSDictionary? {
        var result: [AnyHashable: Any] = [:]
        for pair in pairs {
            guard case .array(let fields) = pair, fields.count == 2,
                let key = object(fields[0]) as? NSObject, let value = object(fields[1])
            else { return nil }
            result[AnyHashable(key)] = value
        }
        return NSDictionary(dictionary: result)
    }
}
