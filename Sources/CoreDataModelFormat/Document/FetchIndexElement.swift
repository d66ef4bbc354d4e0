package import CoreDataValues

/// A fetch index as its author wrote it.
package struct FetchIndexElement: Sendable, Hashable {
    package enum Kind: Int, Sendable, Hashable {
        case binary = 0
        case rTree = 1
    }

    package struct Element: Sendable, Hashable {
        /// The name of the property; nil if the element is an expression.
        package var propertyName: String?
        /// The expression of an element without a property, in predicate format; `expressionType` is the type
        /// of its result.
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
    /// The predicate, in predicate format, on the rows that the index covers; nil for all rows.
    package var partialPredicate: String?
    package var editorAttributes: [String: String]
    package var extras: [SourceExtra] = []

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
