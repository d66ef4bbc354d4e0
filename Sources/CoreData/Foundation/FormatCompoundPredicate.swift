import CoreDataPredicates
import Foundation

/// The compound predicate of a format. Foundation's own has no text on Linux.
final class FormatCompoundPredicate: NSCompoundPredicate {
    override var predicateFormat: String { NodePrinter.format(node) }
    override var description: String { predicateFormat }
}
