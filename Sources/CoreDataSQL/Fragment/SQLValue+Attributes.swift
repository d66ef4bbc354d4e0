package import CoreDataValues
import Foundation

extension AttributeValue {
    /// Reads a stored value as a type (sqlite-store §6); a value that does not fit keeps its own type.
    package init(_ stored: SQLValue, as type: AttributeType) {
        switch (type, stored) {
        case (_, .null), (_, .integers), (_, .texts): self = .null
        case (.boolean, .integer(let number)): self = .boolean(number != 0)
        case (.double, .integer(let number)), (.float, .integer(let number)): self = .double(Double(number))
        case (.double, .text(let digits)), (.float, .text(let digits)):
            self = Double(digits).map(Self.double) ?? .string(digits)
        case (.decimal, .integer(let number)): self = .decimal(Decimal(number))
        case (.decimal, .double(let number)):
            self = .decimal(Decimal(written: number))
        case (.decimal, .text(let text)): self = Decimal(string: text).map(Self.decimal) ?? .string(text)
        case (.integer16, .double(let number)), (.integer32, .double(let number)),
            (.integer64, .double(let number)):
            self = Int64(exactly: number.rounded(.towardZero)).map(Self.integer) ?? .double(number)
        case (.date, .integer(let seconds)):
            self = .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.uri, .text(let text)): self = URL(string: text).map(Self.uri) ?? .string(text)
        case (.uuid, .blob(let data)) where data.count == 16:
            self = .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (_, .integer(let number)): self = .integer(number)
        case (_, .double(let number)): self = .double(number)
        case (_, .text(let text)): self = .string(text)
        case (_, .blob(let data)): self = .data(data)
        }
    }
}

extension SQLValue {
    /// Makes the stored form of a value (sqlite-store §6); nil for a composite, whose elements are stored
    /// instead.
    package init?(_ value: AttributeValue) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = Self.decimal(number)
        case .string(let text): self = .text(text)
        case .date(let date): self = .double(date.timeIntervalSinceReferenceDate)
        case .data(let data): self = .blob(data)
        case .uuid(let uuid): self = withUnsafeBytes(of: uuid.uuid) { .blob(Data($0)) }
        case .uri(let url): self = .text(url.absoluteString)
        case .reference(let reference): self = .integer(reference.key)
        case .composite: return nil
        }
    }

    /// Returns a number if a double holds all of its digits; otherwise a text. The numeric affinity of the
    /// column converts the text as it converted the stored one, so that both are equal.
    static func decimal(_ number: Decimal) -> SQLValue {
        let text = number.description
        if let integer = Int64(text) { return .integer(integer) }
        let digits = text.count { $0.isNumber }
        return digits > 15 ? .text(text) : Double(text).map(SQLValue.double) ?? .text(text)
    }
}
