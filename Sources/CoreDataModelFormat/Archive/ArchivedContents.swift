import CoreDataPredicates
import CoreDataValues
package import Foundation

/// The contents of a keyed archive of Foundation's values and collections.
///
/// Reading them makes no object of any other class, whatever classes the archive names.
package struct ArchivedContents {
    /// The archived object; nil if it contains an object of another class, or something that cannot be read.
    package private(set) var object: Any?
    /// The class names of the root and, in collections, of their elements. The fields of other objects are
    /// not examined.
    package private(set) var classNames: Set<String> = []
    /// Whether the archive contains objects of classes other than Foundation's.
    package var hasOthers: Bool { !classNames.isSubset(of: Self.known) }

    private static let known: Set<String> = [
        "NSNull", "NSNumber", "NSString", "NSMutableString", "NSDate", "NSData", "NSMutableData", "NSUUID",
        "NSURL",
        "NSDecimalNumber", "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSDictionary",
        "NSMutableDictionary",
    ]

    package init(_ data: Data) throws {
        let archive = try KeyedArchive(data, longestPath: ValueArchive.deepest)
        object = contents(of: archive.rootValue, { _ in try? archive.root() })
    }

    private mutating func contents(
        of value: PropertyList?, _ resolve: (PropertyList) -> ArchivedObject?
    ) -> Any? {
        switch value {
        case .boolean, .integer, .real: classNames.insert("NSNumber")
        case .string: classNames.insert("NSString")
        case .date: classNames.insert("NSDate")
        case .data: classNames.insert("NSData")
        case .uid:
            guard let value, let object = resolve(value) else { return nil }
            classNames.insert(object.className)
            return contents(of: object)
        case .null, .array, .dictionary, nil: return nil
        }
        return value.flatMap(Self.plain)
    }

    private static func plain(_ value: PropertyList) -> Any? {
        switch value {
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .string(let text): text
        case .date(let date): date
        case .data(let data): data
        case .null, .uid, .array, .dictionary: nil
        }
    }

    private mutating func contents(of object: ArchivedObject) -> Any? {
        switch object.className {
        case "NSNull": return NSNull()
        case "NSString", "NSMutableString": return object.string("NS.string")
        case "NSArray", "NSMutableArray": return elements("NS.objects", of: object).map(NSArray.init(array:))
        case "NSSet", "NSMutableSet": return elements("NS.objects", of: object).map(NSSet.init(array:))
        case "NSDictionary", "NSMutableDictionary":
            guard let keys = elements("NS.keys", of: object), let values = elements("NS.objects", of: object),
                keys.count == values.count
            else { return nil }
            let dictionary = NSMutableDictionary()
            for (key, value) in zip(keys, values) {
                guard let key = key as? AnyHashable else { return nil }
                dictionary[key] = value
            }
            return dictionary.copy()
        default: return object.asValue?.unboxed
        }
    }

    /// Returns the elements of a collection, or nil if one cannot be read. All elements are visited in any
    /// case, to collect their class names.
    private mutating func elements(_ key: String, of object: ArchivedObject) -> [Any]? {
        guard let references = object.array(key) else { return nil }
        var elements: [Any] = []
        for reference in references {
            if let element = contents(of: object.plain(reference), object.object) { elements.append(element) }
        }
        return elements.count == references.count ? elements : nil
    }
}
