package import CoreDataValues

/// A fetch index as authored.
package struct FetchIndexElement: Sendable, Hashable {
    package enum Kind: Int, Sendable, Hashable {
        case binary = 0
        case rTree = 1
    }

    package struct Element: Sendable, Hashable {
        /// A property name, or nil when the element is an expression.
        package var propertyName: String?
        /// Predicate-format text of an expression element and its result type.
        package var expression: String?
        package var expressionType: AttributeType
        package var kind: Kind
        package var isAscending: Bool

        package init(
            propertyName: String?,
            expression: String? = nil,
            expressionType: AttributeType = .undefined,
            kind: Kind = .binary,
            isAscending: Bool = true
        ) {
            self.propertyName = propertyName
            self.expression = expression
            self.expressionType = expressionType
            self.kind = kind
            self.isAscending = isAscending
        }
    }

    package var name: String
    package var elements: [Element]
    /// Predicate-format text that limits the index to some rows.
    package var partialPredicate: String?
    package var editorAttributes: [String: String]

    package init(
        name: String,
        elements: [Element],
        partialPredicate: String? = nil,
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.elements = elements
        self.partialPredicate = partialPredicate
        self.editorAttributes = editorAttributes
    }
}
