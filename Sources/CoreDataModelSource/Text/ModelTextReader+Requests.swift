import CoreDataModelFormat
import CoreDataValues

extension ModelTextReader {
    static let requestWords = [
        "limit", "offset", "batch", "result", "no-subentities", "no-property-values", "no-pending-changes",
        "no-faults", "distinct", "sort", "prefetch", "where",
    ]

    /// Reads a fetch request template, after its name.
    func fetchRequest(named name: String, _ line: inout TextLine) throws -> FetchRequestElement {
        guard line.take("=>") else { throw line.expected("=> and the name of an entity") }
        var request = FetchRequestElement(
            name: name, entityName: try line.name("the name of the entity to fetch"))
        try requestWords(&line, of: &request)
        return request
    }

    /// Reads the rest of a line that describes a fetch request.
    func requestWords(_ line: inout TextLine, of request: inout FetchRequestElement) throws {
        while !line.isAtEnd {
            if try line.takeFields(into: &request.editorAttributes) { continue }
            switch try line.word(of: Self.requestWords) {
            case "limit": request.fetchLimit = try line.integer("a whole number")
            case "offset": request.fetchOffset = try line.integer("a whole number")
            case "batch": request.fetchBatchSize = try line.integer("a whole number")
            case "result": request.resultType = try line.integer("the number of a result type")
            case "no-subentities": request.includesSubentities = false
            case "no-property-values": request.includesPropertyValues = false
            case "no-pending-changes": request.includesPendingChanges = false
            case "no-faults": request.returnsObjectsAsFaults = false
            case "distinct": request.returnsDistinctResults = true
            case "sort": request.sort = try line.list(sort)
            case "prefetch":
                request.prefetchedKeyPaths = try line.list { try $0.text("a key path") }
            default: request.predicate = try line.rest("a predicate")
            }
        }
    }

    /// Reads `title`, `-title`, or `title by localizedStandardCompare:`.
    private func sort(_ line: inout TextLine) throws -> FetchRequestElement.Sort {
        let isAscending = !line.take("-")
        var sort = FetchRequestElement.Sort(
            keyPath: try line.text("a key path"), isAscending: isAscending)
        if line.takeWord("by") { sort.selector = try line.text("the name of a method") }
        return sort
    }

    /// Reads what follows `index`.
    mutating func fetchIndex(_ line: inout TextLine, in owner: String) throws -> FetchIndexElement {
        let number = line.number
        var index = FetchIndexElement(name: try line.name("the name of an index"), elements: [])
        draft.lines[ElementPath.fetchIndex(index.name, of: owner)] = number
        if !line.isAtEnd, !line.isNext("["), line.nextWord != "where" {
            index.elements = try line.list(indexElement)
        }
        _ = try line.takeFields(into: &index.editorAttributes)
        if line.takeWord("where") { index.partialPredicate = try line.rest("a predicate") }
        try line.requireEnd(", and another property, or where and a predicate")
        return index
    }

    static let indexElementWords: Set<String> = ["expression", "nothing", "where"]

    /// Reads `name`, `-name` (descending), `^name` (R-tree), or `expression "…" string`.
    private func indexElement(_ line: inout TextLine) throws -> FetchIndexElement.Element {
        var element = FetchIndexElement.Element(propertyName: nil)
        element.isAscending = !line.take("-")
        if line.take("^") { element.kind = .rTree }
        if !line.takeWord("nothing") {
            if line.nextWord != "expression" {
                element.propertyName = try line.name("the name of a property, or expression")
            }
            if line.takeWord("expression") { element.expression = try line.text("an expression") }
        }
        if let word = line.nextWord, AttributeType(textName: word) != nil {
            element.expressionType = try line.attributeType()
        }
        return element
    }
}
