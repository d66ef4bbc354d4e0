import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// The fields of one predicate or expression in a coder, under Apple's keys (mom §4).
///
/// Its parts are objects of the archive that read and write themselves.
struct NodeCoding: ArchivedNode {
    let coder: NSCoder
    /// The class in the archive; empty if only the fields tell the kind of node.
    var className = ""

    // MARK: Writing

    /// Writes the fields.
    ///
    /// A closure, or a constant that is an object, fails the coder.
    static func encode(_ archive: () throws(UnarchivableNode) -> NodeArchive, with coder: NSCoder) {
        do throws(UnarchivableNode) {
            for (key, field) in try archive().fields { encode(field, forKey: key, with: coder) }
        } catch {
            coder.failWithError(
                CocoaError(
                    .coderInvalidValue,
                    userInfo: [NSLocalizedFailureReasonErrorKey: "\(error) cannot be archived."]))
        }
    }

    private static func encode(_ field: NodeArchive.Field, forKey key: String, with coder: NSCoder) {
        switch field {
        case .integer(let number): coder.encode(Int(number), forKey: key)
        case .flag(let flag): coder.encode(flag, forKey: key)
        case .text(let text): coder.encode(text as NSString, forKey: key)
        case .null: coder.encode(nil as NSObject?, forKey: key)
        case .constant(let value): coder.encode(ArchivedValue.object(for: value), forKey: key)
        case .expression(let node): coder.encode(NSExpression.expression(for: node), forKey: key)
        case .expressions(let nodes):
            coder.encode(NSArray(array: nodes.map { NSExpression.expression(for: $0) }), forKey: key)
        case .predicate(let node): coder.encode(ArchivedPredicate(node), forKey: key)
        case .predicates(let nodes):
            coder.encode(NSArray(array: nodes.map { ArchivedPredicate($0) }), forKey: key)
        case .keyPathSpecifier(let keys):
            coder.encode(NSMutableArray(array: [ArchivedKeyPathSpecifier(keys)]), forKey: key)
        case .comparisonOperator(let comparison):
            coder.encode(ArchivedComparisonOperator.object(for: comparison), forKey: key)
        }
    }

    // MARK: Reading

    /// Fails a coder whose archive is not understood.
    static func refuse(_ coder: NSCoder, _ what: String) {
        coder.failWithError(corrupt("The archive contains no readable \(what)."))
    }

    static func corrupt(_ reason: String) -> CocoaError {
        CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedFailureReasonErrorKey: reason])
    }

    /// The nesting depth of the node that is read.
    ///
    /// It is limited because Foundation's unarchiver follows circular references until the stack overflows.
    @TaskLocal private static var depth = 0

    /// Reads a node and its parts, or fails the coder.
    static func read<Node>(_ what: String, from coder: NSCoder, _ body: () -> Node?) -> Node? {
        if depth < ValueArchive.deepest, let node = $depth.withValue(depth + 1, operation: body) {
            return node
        }
        refuse(coder, what)
        return nil
    }

    func integer(_ key: String) -> Int? {
        coder.containsValue(forKey: key) ? coder.decodeInteger(forKey: key) : nil
    }

    func string(_ key: String) -> String? {
        guard coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: NSString.self, forKey: key).map { $0 as String }
    }

    func constant(_ key: String) -> ExpressionValue? {
        guard coder.containsValue(forKey: key) else { return .null }
        return ArchivedValue.value(of: coder.decodeObject(of: ArchivedValue.classes, forKey: key))
    }

    func expression(_ key: String) -> ExpressionNode? {
        guard coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: NSExpression.self, forKey: key)?.node
    }

    func predicate(_ key: String) -> PredicateNode? {
        guard coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: NSPredicate.self, forKey: key)?.node
    }

    func expressions(_ key: String) -> [ExpressionNode]? { objects(NSExpression.self, key)?.map(\.node) }

    func predicates(_ key: String) -> [PredicateNode]? { objects(NSPredicate.self, key)?.map(\.node) }

    func comparisonOperator(_ key: String) -> ArchivedOperator? {
        guard coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: ArchivedComparisonOperator.self, forKey: key)?.decoded
    }

    private func objects<Object: NSObject>(_ type: Object.Type, _ key: String) -> [Object]? {
        guard coder.containsValue(forKey: key),
            let object = coder.decodeObject(of: [NSArray.self, type], forKey: key)
        else { return [] }
        guard let array = object as? NSArray else { return nil }
        let objects = array.compactMap { $0 as? Object }
        return objects.count == array.count ? objects : nil
    }
}
