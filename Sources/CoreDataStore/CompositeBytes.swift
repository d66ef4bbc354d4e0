package import CoreDataValues
package import Foundation

/// The encoding of a composite attribute's value in a packed row: its elements with their names, sorted by
/// name so that equal values have equal bytes. Elements without a value are left out, and so are composites
/// without elements.
package enum CompositeBytes {
    private enum Tag: UInt8 {
        case no, yes, integer, double, decimal, string, date, data, uuid, uri, composite
    }

    /// Returns the bytes of a composite; nil if no element has a value.
    package static func encode(_ elements: [String: AttributeValue]) -> Data? {
        var writer = ByteWriter()
        guard write(elements, &writer) else { return nil }
        return writer.bytes
    }

    private static func write(_ elements: [String: AttributeValue], _ writer: inout ByteWriter) -> Bool {
        let present = elements.filter { !$0.value.isNothing }
        guard !present.isEmpty else { return false }
        writer.count(present.count)
        for (name, value) in present.sorted(by: { $0.key < $1.key }) {
            writer.text(name)
            write(value, &writer)
        }
        return true
    }

    private static func write(_ value: AttributeValue, _ writer: inout ByteWriter) {
        func tag(_ tag: Tag) { writer.bytes.append(tag.rawValue) }
        switch value {
        case .null, .reference: break
        case .boolean(let flag): tag(flag ? .yes : .no)
        case .integer(let number):
            tag(.integer)
            writer.signed(number)
        case .double(let number):
            tag(.double)
            writer.fixed(number.bitPattern)
        case .decimal(let number):
            tag(.decimal)
            writer.decimal(number)
        case .string(let text):
            tag(.string)
            writer.text(text)
        case .date(let date):
            tag(.date)
            writer.fixed(date.timeIntervalSinceReferenceDate.bitPattern)
        case .data(let data):
            tag(.data)
            writer.data(data)
        case .uuid(let uuid):
            tag(.uuid)
            writer.uuid(uuid)
        case .uri(let url):
            tag(.uri)
            writer.text(url.absoluteString)
        case .composite(let elements):
            tag(.composite)
            _ = write(elements, &writer)
        }
    }

    /// The greatest depth of nested composites: more than any model has, and few enough for the smallest
    /// stack.
    private static let deepest = 64

    package static func decode(_ bytes: Data) throws(StoreError) -> [String: AttributeValue] {
        var reader = ByteReader(bytes, complaint: "the bytes are no composite value")
        let elements = try elements(&reader, depth: 1)
        guard reader.remaining == 0 else { throw reader.corrupt("there is more behind it") }
        return elements
    }

    private static func elements(
        _ reader: inout ByteReader, depth: Int
    ) throws(StoreError) -> [String: AttributeValue] {
        guard depth <= deepest else { throw reader.corrupt("it is nested too deeply") }
        var elements: [String: AttributeValue] = [:]
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            elements[name] = try value(&reader, depth: depth)
        }
        return elements
    }

    private static func value(_ reader: inout ByteReader, depth: Int) throws(StoreError) -> AttributeValue {
        guard let tag = Tag(rawValue: try reader.byte()) else {
            throw reader.corrupt("an element is of no known type")
        }
        switch tag {
        case .no: return .boolean(false)
        case .yes: return .boolean(true)
        case .integer: return .integer(try reader.signed())
        case .double: return .double(Double(bitPattern: try reader.fixed()))
        case .decimal: return .decimal(try reader.decimal())
        case .string: return .string(try reader.text())
        case .date:
            return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.fixed())))
        case .data: return .data(try reader.data())
        case .uuid: return .uuid(try reader.uuid())
        case .uri:
            let text = try reader.text()
            guard let url = URL(string: text) else { throw reader.corrupt("\(text) is no URI") }
            return .uri(url)
        case .composite: return .composite(try elements(&reader, depth: depth + 1))
        }
    }
}

extension AttributeValue {
    /// Whether the value is null, or a composite in which every element is.
    fileprivate var isNothing: Bool {
        switch self {
        case .null, .reference: true
        case .composite(let elements): elements.values.allSatisfy(\.isNothing)
        default: false
        }
    }
}
