/// A selector by its name: which comparison a sort descriptor uses. Linux has no other use for one, and no
/// `#selector`; the comparisons of strings have constants here.
///
///     NSSortDescriptor(key: "name", ascending: true, selector: .localizedStandardCompare)
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
    public init(stringLiteral value: String) { description = value }

    /// By value; strings by their code units.
    public static let compare: Selector = "compare:"
    public static let caseInsensitiveCompare: Selector = "caseInsensitiveCompare:"
    public static let localizedCompare: Selector = "localizedCompare:"
    public static let localizedCaseInsensitiveCompare: Selector = "localizedCaseInsensitiveCompare:"
    /// As file managers sort names: `a2` before `a10`.
    public static let localizedStandardCompare: Selector = "localizedStandardCompare:"
}
