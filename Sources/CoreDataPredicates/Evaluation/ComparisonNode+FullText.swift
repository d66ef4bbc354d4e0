import CoreDataValues

extension ComparisonNode {
    /// `title matchesFullText: "words"`, or `{title, text} matchesFullText: "words"` for several texts as one.
    func fullTextSearch() -> CompiledTest {
        // A constant is read once for all objects.
        let known: FullTextQuery? =
            if case .constant(.value(.string(let text))) = right { FullTextQuery(text) } else { nil }
        return { [known] left, right throws(EvaluationError) in
            if let known { return known.matches(try left.fullTexts()) }
            guard let text = try right.fullText() else { return false }
            return FullTextQuery(text).matches(try left.fullTexts())
        }
    }
}

extension ExpressionValue {
    /// The text this is, nil for null.
    fileprivate func fullText() throws(EvaluationError) -> String? {
        switch self {
        case .value(.string(let text)): return text
        case .value(.null): return nil
        default: throw .notAString(summary, function: FullTextQuery.selector)
        }
    }

    /// The texts of a list, or this one.
    fileprivate func fullTexts() throws(EvaluationError) -> [String] {
        let values: [ExpressionValue] =
            if case .collection(let elements, isOrdered: true) = self { elements } else { [self] }
        var texts: [String] = []
        for value in values {
            if let text = try value.fullText() { texts.append(text) }
        }
        return texts
    }
}
