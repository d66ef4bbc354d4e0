import CoreDataModelFormat
import CoreDataPredicates

/// The renaming of a property in the texts that mean it. A text is changed only where the name stands as a
/// key that means this property: every other character stays.
struct KeyRenaming {
    /// The form of a text.
    enum Form {
        case predicate
        case expression
        /// Keys joined by dots.
        case path
    }

    private let resolver: KeyResolver
    private let renamed: KeyMeaning
    private let newName: String

    /// - Parameter document: The document before the renaming.
    init(_ renamed: KeyMeaning, to newName: String, in document: ModelDocument) {
        resolver = KeyResolver(document)
        self.renamed = renamed
        self.newName = newName
    }

    /// Returns the text with the new name.
    ///
    /// - Parameters:
    ///   - root: What the paths of the text start from.
    ///   - source: The entity of the fetched property that the text belongs to.
    func apply(to text: String, _ form: Form, from root: KeyOwner?, source: KeyOwner? = nil) -> String {
        guard text.contains(renamed.name) else { return text }
        if form == .path { return path(text, from: root) }
        guard let words = try? FormatLexer.words(of: text), let original = Tree(text, form) else {
            return text
        }
        var scope = KeyPathSearch.Scope(object: root)
        scope.variables["FETCH_SOURCE"] = source
        let marker = Self.marker(besides: text)
        let search = KeyPathSearch(resolver: resolver, marker: marker, wanted: renamed)
        var result = Array(text.unicodeScalars)
        for (word, position, isEscaped) in words.reversed() where word == renamed.name {
            let range = position..<position + word.unicodeScalars.count
            var marked = Array(text.unicodeScalars)
            marked.replaceSubrange(range, with: marker.unicodeScalars)
            // A word that is a key has the same meaning as any other key, so that the tree has the same
            // shape.
            guard let tree = Tree(String(marked), form), tree.replacing(marker, by: word) == original,
                tree.isFound(by: search, scope)
            else { continue }
            let sign = ReservedWords.contains(newName) && !isEscaped ? "#" : ""
            result.replaceSubrange(range, with: (sign + newName).unicodeScalars)
        }
        return String(result)
    }

    private func path(_ text: String, from root: KeyOwner?) -> String {
        var keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let before = keys
        _ = resolver.walk(before, from: root) { position, meaning in
            if meaning == renamed { keys[position] = newName }
        }
        return keys.joined(separator: ".")
    }

    /// Returns a word that does not occur in a text.
    private static func marker(besides text: String) -> String {
        var marker = "renamed_"
        while text.contains(marker) { marker += "_" }
        return marker
    }
}

extension String {
    fileprivate init(_ scalars: [Unicode.Scalar]) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}

/// A text that was parsed as what it is.
private enum Tree: Equatable {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    init?(_ text: String, _ form: KeyRenaming.Form) {
        switch form {
        case .predicate:
            guard let node = try? FormatParser.parse(text, arguments: []) else { return nil }
            self = .predicate(node)
        case .expression:
            guard let node = try? FormatParser.expression(text) else { return nil }
            self = .expression(node)
        case .path: return nil
        }
    }

    func replacing(_ marker: String, by key: String) -> Tree {
        let rewriter = NodeRewriter { node in
            guard case .keyPath(let operand, let keys) = node, keys.contains(marker) else { return node }
            return .keyPath(operand: operand, keys: keys.map { $0 == marker ? key : $0 })
        }
        return switch self {
        case .predicate(let node): .predicate(rewriter.rewrite(node))
        case .expression(let node): .expression(rewriter.rewrite(node))
        }
    }

    func isFound(by search: KeyPathSearch, _ scope: KeyPathSearch.Scope) -> Bool {
        switch self {
        case .predicate(let node): search.finds(in: node, scope)
        case .expression(let node): search.finds(in: node, scope)
        }
    }
}
