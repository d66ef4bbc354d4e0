import CoreDataSQL

extension SQLIdentifier: ExpressibleByStringLiteral {
    public init(stringLiteral name: String) { self.init(name) }
}
