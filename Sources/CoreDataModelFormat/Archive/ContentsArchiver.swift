import CoreDataPredicates
import CoreDataValues
package import Foundation

/// An archiver of Foundation's values and collections, with the bytes of Apple's archiver (mom §2), for
/// `ArchivedContents` to read.
///
/// The archiver of Foundation on Linux takes many times as long and loses digits of decimal numbers.
package struct ContentsArchiver {
    private var archive = ArchiveBuilder()
    /// The references to values that are already in the archive as objects.
    private var known: [AttributeValue: PropertyList] = [:]

    /// Returns the archive of a value, or nil if it contains an object of another class.
    ///
    /// A subclass of a collection counts as another class, since it may archive itself in its own way.
    package static func data(for value: Any) -> Data? {
        var archiver = ContentsArchiver()
        return archiver.reference(to: value).map(archiver.archive.data(root:))
    }

    private mutating func reference(to value: Any) -> PropertyList? {
        if let plain = AttributeValue(plain: value) { return reference(toValue: plain) }
        if type(of: value) is AnyClass { return reference(toObject: value as AnyObject) }
        switch value {
        case let array as [Any]: return collection("NSArray", array)
        case let dictionary as [AnyHashable: Any]:
            return self.dictionary("NSDictionary", dictionary.keys.lazy.map(\.base), dictionary.values)
        case let set as Set<AnyHashable>: return collection("NSSet", set.lazy.map(\.base))
        case let number as NSNumber: return reference(toObject: number)
        default: return AttributeValue(boxing: value).map { reference(toValue: $0) }
        }
    }

    private mutating func reference(toObject object: AnyObject) -> PropertyList? {
        switch object {
        case let array as NSArray:
            Self.name(of: array, NSArray.self, "NSArray", NSMutableArray.self, "NSMutableArray")
                .flatMap { collection($0, array) }
        case let dictionary as NSDictionary:
            Self.name(
                of: dictionary, NSDictionary.self, "NSDictionary", NSMutableDictionary.self,
                "NSMutableDictionary"
            ).flatMap { self.dictionary($0, dictionary.lazy.map(\.key), dictionary.lazy.map(\.value)) }
        case let set as NSSet:
            Self.name(of: set, NSSet.self, "NSSet", NSMutableSet.self, "NSMutableSet")
                .flatMap { collection($0, set) }
        case let number as NSNumber where number.isBeyondInt64: nil
        default: AttributeValue(boxing: object).map { reference(toValue: $0) }
        }
    }

    /// Returns the class name to archive, or nil if the object is of a subclass.
    private static func name(
        of object: AnyObject, _ plain: AnyClass, _ name: String, _ mutable: AnyClass, _ mutableName: String
    ) -> String? {
        let type: AnyClass = type(of: object)
        return type == plain ? name : type == mutable ? mutableName : nil
    }

    private mutating func reference(toValue value: AttributeValue) -> PropertyList {
        switch value {
        case .boolean, .integer, .double, .string, .data: return archive.element(value)
        default:
            if let reference = known[value] { return reference }
            let reference = value.isNull ? archive.object("NSNull", [:]) : archive.value(value)
            known[value] = reference
            return reference
        }
    }

    // MARK: Collections, whose class follows their contents in the archive

    private mutating func collection(_ name: String, _ elements: some Sequence<Any>) -> PropertyList? {
        let object = archive.reserve()
        guard let references = references(to: elements) else { return nil }
        archive.fill(object, name, ["NS.objects": .array(references)])
        return object
    }

    private mutating func dictionary(
        _ name: String, _ keys: some Sequence<Any>, _ values: some Sequence<Any>
    ) -> PropertyList? {
        let object = archive.reserve()
        guard let keys = references(to: keys), let values = references(to: values) else { return nil }
        archive.fill(object, name, ["NS.keys": .array(keys), "NS.objects": .array(values)])
        return object
    }

    private mutating func references(to elements: some Sequence<Any>) -> [PropertyList]? {
        var references: [PropertyList] = []
        for element in elements {
            guard let reference = reference(to: element) else { return nil }
            references.append(reference)
        }
        return references
    }
}

extension NSNumber {
    /// Whether only an unsigned integer can hold the number.
    fileprivate var isBeyondInt64: Bool {
        objCType.pointee == CChar(UInt8(ascii: "Q")) && uint64Value > UInt64(Int64.max)
    }
}
