import CoreDataPredicates
public import Foundation

/// Lets an initializer of `NSPredicate` hand back a subclass, which only a protocol's extension may do.
public protocol PredicateFormatInitializable {}

extension NSPredicate: PredicateFormatInitializable {}

extension PredicateFormatInitializable {
    /// A predicate from Apple's format language. Traps on a malformed format, saying where and what was expected.
    public init(format predicateFormat: String, _ arguments: any CVarArg...) {
        self = NSPredicate.parsed(predicateFormat, arguments) as! Self
    }

    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = NSPredicate.parsed(predicateFormat, arguments ?? []) as! Self
    }

    #if arch(x86_64)
    /// As above, with the arguments of a C function or of `withVaList`.
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        do throws(PredicateSyntaxError) {
            let arguments = try VariadicArguments.values(argList, for: predicateFormat)
            self = NSPredicate.parsed(predicateFormat, arguments) as! Self
        } catch {
            programmerError("\(error), in the predicate format \"\(predicateFormat)\"")
        }
    }
    #endif

    /// A predicate from a format that comes from a user: throws where the other initializers trap.
    public init(validating predicateFormat: String, arguments: [Any] = []) throws {
        let node = try FormatParser.predicate(
            predicateFormat, arguments: arguments.map { FormatArgument.node($0) })
        self = NSPredicate.predicate(for: node) as! Self
    }
}

extension NSPredicate {
    static func parsed(_ format: String, _ arguments: [Any]) -> NSPredicate {
        do {
            return predicate(
                for: try FormatParser.predicate(format, arguments: arguments.map { FormatArgument.node($0) }))
        } catch {
            programmerError("\(error), in the predicate format \"\(format)\"")
        }
    }

    static func predicate(for node: PredicateNode) -> NSPredicate {
        AppleArchives.prepare()
        return switch node {
        case .constant(let value): ConstantPredicate.predicate(value)
        case .comparison(let comparison): NSComparisonPredicate(comparison)
        case .compound(let logic, let operands):
            NSCompoundPredicate(
                type: NSCompoundPredicate.LogicalType(rawValue: logic.rawValue) ?? .and,
                subpredicates: operands.map(predicate(for:)))
        case .block(let block): NSPredicate(block: { block.evaluate($0, $1) })
        }
    }

    /// The predicate as a tree.
    final var node: PredicateNode {
        switch self {
        case let comparison as NSComparisonPredicate: return .comparison(comparison.comparison)
        case let compound as Foundation.NSCompoundPredicate:
            let logic = LogicalOperator(rawValue: compound.compoundPredicateType.rawValue) ?? .and
            return .compound(logic, compound.subpredicates.map(\.node))
        case let archived as ArchivedPredicate: return archived.part
        default:
            if isEqual(NSPredicate(value: true)) { return .constant(true) }
            if isEqual(NSPredicate(value: false)) { return .constant(false) }
            return .block(PredicateBlock { self.evaluate(with: $0, substitutionVariables: $1) })
        }
    }

    /// The same predicate with values in the place of its variables.
    public final func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let values = variables.mapValues { FormatArgument.node($0) }
        return NSPredicate.predicate(for: node.substituting(values)) as! Self
    }
}

extension NSPredicate {
    public final func allowEvaluation() {}
}
