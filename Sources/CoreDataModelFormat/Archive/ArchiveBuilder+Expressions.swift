import CoreDataPredicates
import CoreDataValues
import Foundation

/// Writes trees as the predicate and expression objects that compiled models contain (mom §4).
extension ArchiveBuilder {
    mutating func predicate(_ node: PredicateNode) throws -> PropertyList {
        try object(Self.expressible { () throws(UnarchivableNode) in try node.archive() })
    }

    mutating func expression(_ node: ExpressionNode) throws -> PropertyList {
        try object(Self.expressible { () throws(UnarchivableNode) in try node.archive() })
    }

    private static func expressible(
        _ archive: () throws(UnarchivableNode) -> NodeArchive
    ) throws -> NodeArchive {
        do throws(UnarchivableNode) {
            return try archive()
        } catch {
            throw ModelFileError("", .inexpressible(error.description))
        }
    }

    private mutating func object(_ archive: NodeArchive) throws -> PropertyList {
        var fields: [String: PropertyList] = [:]
        for (key, field) in archive.fields { fields[key] = try value(of: field) }
        return object(archive.className, fields)
    }

    private mutating func value(of field: NodeArchive.Field) throws -> PropertyList {
        switch field {
        case .integer(let number): return .integer(number)
        case .flag(let flag): return .boolean(flag)
        case .text(let text): return string(text)
        case .null: return Self.null
        case .constant(let value): return try constant(value)
        case .expression(let node): return try expression(node)
        case .expressions(let nodes): return collection(try nodes.map { try expression($0) })
        case .predicate(let node): return try predicate(node)
        case .predicates(let nodes): return collection(try nodes.map { try predicate($0) })
        case .keyPathSpecifier(let keys):
            return collection([try object(NodeArchive.keyPathSpecifier(keys))], "NSMutableArray")
        case .comparisonOperator(let comparison): return try object(comparison.operatorArchive)
        }
    }

    private mutating func constant(_ value: ExpressionValue) throws -> PropertyList {
        switch value {
        case .value(let value): return self.value(value)
        case .collection(let elements, let isOrdered):
            let references = try elements.map { element in
                guard case .value(let value) = element else { throw Self.unarchivable }
                return self.element(value)
            }
            return collection(references, isOrdered ? "NSArray" : "NSSet")
        case .object, .opaque: throw Self.unarchivable
        }
    }

    private static let unarchivable = ModelFileError("", .inexpressible("a list of lists as a constant"))
}
