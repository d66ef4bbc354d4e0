import CoreDataValues

extension ComparisonNode {
    /// Returns the test for `title matchesFullText: "words"`, or for `{title, text} matchesFullText:
    /// "words"`, which searches several texts as if they were one.
    func fullTextSearch() -> CompiledTest {
        // A constant is parsed once for all objects.
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
    /// Returns the text of the value, nil for null.
    fileprivate func fullText() throws(EvaluationError) -> String? {
        switch self {
        case .value(.string(let text)): return text
        case .value(.null): return nil
        default: throw .notAString(summary, function: FullTextQuery.selector)
        }
    }

    /// Returns the texts of a list, or the text of a single value.
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
