import CoreDataValues
import Foundation

/// A keyed archive under construction (mom §2).
///
/// Objects that refer to each other in cycles are reserved first and filled in later. Equal strings share one
/// object. The same calls in the same order give the same bytes.
struct ArchiveBuilder {
    static let null = PropertyList.uid(0)

    private var objects: [PropertyList] = [.string("$null")]
    private var leaves: [PropertyList: PropertyList] = [:]
    private var classes: [String: PropertyList] = [:]
    private var emptyDictionary: PropertyList?

    func data(root: PropertyList) -> Data {
        BinaryPropertyListWriter.write(
            .dictionary([
                "$version": .integer(100_000),
                "$archiver": .string("NSKeyedArchiver"),
                "$top": .dictionary(["root": root]),
                "$objects": .array(objects),
            ]))
    }

    // MARK: Objects

    mutating func reserve() -> PropertyList {
        objects.append(.null)
        return .uid(objects.count - 1)
    }

    mutating func fill(
        _ reference: PropertyList, _ className: String, _ fields: consuming [String: PropertyList]
    ) {
        guard let index = reference.uid else { preconditionFailure("only reserved objects are filled in") }
        fields["$class"] = classReference(className)
        objects[index] = .dictionary(fields)
    }

    mutating func object(_ className: String, _ fields: [String: PropertyList]) -> PropertyList {
        let reference = reserve()
        fill(reference, className, fields)
        return reference
    }

    private mutating func classReference(_ name: String) -> PropertyList {
        if let reference = classes[name] { return reference }
        let hierarchy = ArchivedClass.hierarchy(of: name).map { PropertyList.string($0) }
        let reference = reserve()
        objects[reference.uid!] = .dictionary(["$classname": .string(name), "$classes": .array(hierarchy)])
        classes[name] = reference
        return reference
    }

    // MARK: Values

    mutating func string(_ text: String?) -> PropertyList {
        text.map { leaf(.string($0)) } ?? Self.null
    }

    mutating func strings(_ texts: [String], _ className: String = "NSArray") -> PropertyList {
        collection(texts.map { string($0) }, className)
    }

    mutating func collection(_ elements: [PropertyList], _ className: String = "NSArray") -> PropertyList {
        object(className, ["NS.objects": .array(elements)])
    }

    mutating func dictionary(
        _ entries: [(key: String, value: PropertyList)], _ className: String = "NSMutableDictionary"
    ) -> PropertyList {
        let keys = entries.map { string($0.key) }
        return object(className, ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))])
    }

    /// Adds the dictionary of user info; all empty dictionaries share one object.
    mutating func userInfo(_ entries: [UserInfoEntry]) -> PropertyList {
        if entries.isEmpty, let emptyDictionary { return emptyDictionary }
        let info = dictionary(entries.map { ($0.key, string($0.value)) }, "NSDictionary")
        if entries.isEmpty { emptyDictionary = info }
        return info
    }

    /// Returns the form of a value among an object's fields: a number or Boolean itself, or a reference to
    /// the object that is added for any other value.
    mutating func value(_ value: AttributeValue) -> PropertyList {
        switch value {
        case .null, .reference, .composite: Self.null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let value): .real(value)
        case .decimal(let value): decimal(value)
        case .string(let text): string(text)
        case .date(let date): object("NSDate", ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
        case .data(let data): leaf(.data(data))
        case .uuid(let uuid):
            object("NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
        case .uri(let url):
            object("NSURL", ["NS.base": Self.null, "NS.relative": string(url.absoluteString)])
        }
    }

    /// Returns a reference to a value in a collection, where numbers are separate objects, too.
    mutating func element(_ value: AttributeValue) -> PropertyList {
        let plain = self.value(value)
        return plain.uid == nil ? leaf(plain) : plain
    }

    private mutating func decimal(_ value: Decimal) -> PropertyList {
        object(
            "NSDecimalNumber",
            [
                "NS.mantissa": .data(value.mantissaData),
                "NS.mantissa.bo": .integer(1),
                "NS.length": .integer(Int64(value.mantissaWords.count)),
                "NS.exponent": .integer(Int64(value.exponent)),
                "NS.negative": .boolean(value < 0),
                "NS.compact": .boolean(true),
            ])
    }

    private mutating func leaf(_ value: PropertyList) -> PropertyList {
        if let reference = leaves[value] { return reference }
        let reference = reserve()
        objects[reference.uid!] = value
        leaves[value] = reference
        return reference
    }
}
