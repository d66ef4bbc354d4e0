import CoreDataPredicates
import Foundation

/// The operator of a comparison in an archive.
///
/// Subclasses stand for Apple's classes of operators.
class ArchivedComparisonOperator: NSObject, NSSecureCoding {
    private let comparison: ComparisonNode?
    let decoded: ArchivedOperator?

    required init(_ comparison: ComparisonNode) {
        self.comparison = comparison
        decoded = nil
    }

    required init?(coder: NSCoder) {
        guard let decoded = ArchivedOperator(NodeCoding(coder: coder)) else {
            NodeCoding.refuse(coder, "operator")
            return nil
        }
        self.decoded = decoded
        comparison = nil
    }

    func encode(with coder: NSCoder) {
        guard let comparison else { return }
        NodeCoding.encode({ () throws(UnarchivableNode) in comparison.operatorArchive }, with: coder)
    }

    static var supportsSecureCoding: Bool { true }

    static func object(for comparison: ComparisonNode) -> ArchivedComparisonOperator {
        let name = comparison.operatorArchive.className
        return (forms[name] ?? ArchivedComparisonOperator.self).init(comparison)
    }

    /// The classes by the names that Apple's archives use.
    static let forms: [String: ArchivedComparisonOperator.Type] = [
        "NSEqualityPredicateOperator": ArchivedEqualityOperator.self,
        "NSComparisonPredicateOperator": ArchivedOrderOperator.self,
        "NSInPredicateOperator": ArchivedInOperator.self,
        "NSSubstringPredicateOperator": ArchivedSubstringOperator.self,
        "NSLikePredicateOperator": ArchivedLikeOperator.self,
        "NSMatchingPredicateOperator": ArchivedMatchingOperator.self,
        "NSBetweenPredicateOperator": ArchivedBetweenOperator.self,
        "NSCustomPredicateOperator": ArchivedCustomOperator.self,
    ]

    /// Names Apple's class in archives, for readers that do not have this module's class.
    override class func classFallbacksForKeyedArchiver() -> [String] {
        forms.filter { $0.value == self }.map(\.key)
    }
}

// Not nested, since a coder finds only the classes of a module's top level by name.
final class ArchivedEqualityOperator: ArchivedComparisonOperator {}
final class ArchivedOrderOperator: ArchivedComparisonOperator {}
final class ArchivedInOperator: ArchivedComparisonOperator {}
final class ArchivedSubstringOperator: ArchivedComparisonOperator {}
final class ArchivedLikeOperator: ArchivedComparisonOperator {}
final class ArchivedMatchingOperator: ArchivedComparisonOperator {}
final class ArchivedBetweenOperator: ArchivedComparisonOperator {}
final class ArchivedCustomOperator: ArchivedComparisonOperator {}
