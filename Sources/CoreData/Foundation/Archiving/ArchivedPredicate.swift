import CoreDataPredicates
import Foundation

/// A predicate as a part of another in an archive.
///
/// It equals only itself: Foundation on Linux treats any compound predicate as equal to a false one, and a
/// coder writes equal objects once.
final class ArchivedPredicate: NSPredicate {
    let part: PredicateNode

    init(_ part: PredicateNode) {
        self.part = part
        super.init(block: { _, _ in false })
    }

    override var classForKeyedArchiver: AnyClass? {
        switch part {
        case .constant(true): TruePredicate.self
        case .constant(false): FalsePredicate.self
        case .comparison: NSComparisonPredicate.self
        case .compound: NSCompoundPredicate.self
        case .block: NSPredicate.self
        }
    }
}
