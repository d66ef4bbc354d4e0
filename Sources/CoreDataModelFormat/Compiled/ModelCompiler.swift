package import CoreDataPredicates
import CoreDataValues
import Foundation

/// A compiler of documents into models whose names are resolved to numbers. A name that cannot be resolved is
/// a diagnostic, never a crash.
package struct ModelCompiler {
    /// The error for a model that cannot be compiled, with every reason found.
    package struct Failure: Error, CustomStringConvertible {
        package let diagnostics: [Diagnostic]

        package var description: String {
            diagnostics.map { "\($0.elementPath): \($0.message)" }.joined(separator: "\n")
        }
    }

    private let document: ModelDocument
    /// The parser of derivation expressions.
    private let parseExpression: (String) throws -> ExpressionNode
    private var diagnostics: [Diagnostic] = []

    package init(
        _ document: ModelDocument,
        parseExpression: @escaping (String) throws -> ExpressionNode = DerivationExpression.parse
    ) {
        self.document = document
        self.parseExpression = parseExpression
    }

    package consuming func compile() throws -> CompiledModel {
        let order = numbering()
        var slotsByEntity: [[Draft]] = []
        for entity in order {
            let inherited = entity.superentity.map { slotsByEntity[Int($0)] } ?? []
            slotsByEntity.append(inherited + ownDrafts(of: entity, inherited: inherited))
        }
        let numbered = Dictionary(uniqueKeysWithValues: order.map { ($0.element.name, $0) })
        var entities: [CompiledEntity] = []
        for entity in order {
            let drafts = slotsByEntity[Int(entity.index)]
            let slots = number(drafts, in: numbered, slotsByEntity)
            entities.append(
                CompiledEntity(
                    index: entity.index,
                    superentity: entity.superentity,
                    root: entity.root,
                    family: entity.index..<entity.end,
                    slots: slots,
                    uniquenessConstraints: constraints(of: entity, order, slots),
                    element: entity.element))
        }
        if diagnostics.contains(where: { $0.severity == .error }) {
            throw Failure(diagnostics: diagnostics)
        }
        return CompiledModel(document: document, entities: entities)
    }

    // MARK: Numbering

    private struct NumberedEntity {
        let element: EntityElement
        let index: EntityIndex
        let superentity: EntityIndex?
        let root: EntityIndex
        var end: EntityIndex
    }

    private mutating func numbering() -> [NumberedEntity] {
        var names: Set<String> = []
        var children: [String?: [EntityElement]] = [:]
        for entity in document.entities {
            check(entity.name, at: entity.name)
            for index in entity.fetchIndexes {
                check(index.name, at: ElementPath.fetchIndex(index.name, of: entity.name))
            }
            guard names.insert(entity.name).inserted else {
                diagnostics.append(Diagnostic(.error, at: entity.name, "two entities have this name"))
                continue
            }
            children[entity.parentName, default: []].append(entity)
        }
        for entity in document.entities {
            if let parent = entity.parentName, !names.contains(parent) {
                diagnostics.append(Diagnostic(.error, at: entity.name, "unknown parent entity \"\(parent)\""))
            }
        }
        var order: [NumberedEntity] = []
        func add(_ siblings: [EntityElement], below parent: EntityIndex?, root: EntityIndex?) {
            for element in siblings.sorted(by: Self.precedes) {
                let index = EntityIndex(order.count)
                order.append(
                    NumberedEntity(
                        element: element, index: index, superentity: parent, root: root ?? index,
                        end: index + 1))
                add(children[element.name] ?? [], below: index, root: root ?? index)
                order[Int(index)].end = EntityIndex(order.count)
            }
        }
        add(children[nil] ?? [], below: nil, root: nil)
        let known = Set(order.map(\.element.name))
        for name in document.ownAncestors where !known.contains(name) {
            diagnostics.append(Diagnostic(.error, at: name, "the entity is its own ancestor"))
        }
        return order
    }

    /// Reports a name that contains a NUL. Names become parts of SQL and of file names, where a NUL would end
    /// the text.
    private mutating func check(_ name: String, at path: String) {
        if name.utf8.contains(0) {
            diagnostics.append(
                Diagnostic(
                    .error, at: path.replacing("\0", with: "\\0"), "a name cannot contain the character NUL"))
        }
    }

    /// Orders names without regard to case; names that differ only in case are ordered by their spelling
    /// (sqlite-store §3).
    private static func precedes(_ left: EntityElement, _ right: EntityElement) -> Bool {
        let (a, b) = (left.name.uppercased(), right.name.uppercased())
        return a == b ? left.name < right.name : a.precedesByCodePoint(b)
    }

    // MARK: Properties

    private enum DraftKind {
        case attribute(AttributeElement)
        case relationship(RelationshipElement)
        case fetchedProperty(FetchedPropertyElement)
    }

    private struct Draft {
        let name: String
        let declaringEntity: EntityIndex
        let entityName: String
        let kind: DraftKind
    }

    private mutating func ownDrafts(of entity: NumberedEntity, inherited: [Draft]) -> [Draft] {
        let element = entity.element
        func draft(_ name: String, _ kind: DraftKind) -> Draft {
            Draft(name: name, declaringEntity: entity.index, entityName: element.name, kind: kind)
        }
        var drafts = element.attributes.map { draft($0.name, .attribute($0)) }
        drafts += element.relationships.map { draft($0.name, .relationship($0)) }
        drafts += element.fetchedProperties.map { draft($0.name, .fetchedProperty($0)) }
        drafts = drafts.sorted(byCodePointsOf: \.name)
        var names = Set(inherited.map(\.name))
        for draft in drafts { check(draft.name, at: path(draft)) }
        return drafts.filter { draft in
            if names.insert(draft.name).inserted { return true }
            diagnostics.append(
                Diagnostic(.error, at: "\(element.name).\(draft.name)", "two properties have this name"))
            return false
        }
    }

    private mutating func number(
        _ drafts: [Draft],
        in numbered: [String: NumberedEntity],
        _ slotsByEntity: [[Draft]]
    ) -> [PropertySlot] {
        var columns = 0
        var sides = 0
        var slots: [PropertySlot] = []
        for (index, draft) in drafts.enumerated() {
            let kind: PropertySlot.Kind
            let isOptional: Bool
            let isTransient: Bool
            var isInRow = false
            switch draft.kind {
            case .attribute(let element):
                kind = .attribute(attributeSlot(element, draft))
                (isOptional, isTransient) = (element.isOptional, element.isTransient)
                isInRow = !element.isTransient && element.type != .undefined
            case .relationship(let element):
                guard let slot = relationshipSlot(element, draft, numbered, slotsByEntity) else {
                    continue
                }
                kind = .relationship(slot)
                (isOptional, isTransient) = (element.isOptional, element.isTransient)
                isInRow = !slot.isToMany && !element.isTransient
            case .fetchedProperty(let element):
                kind = .fetchedProperty(element)
                (isOptional, isTransient) = (true, true)
            }
            slots.append(
                PropertySlot(
                    index: index, name: draft.name, isOptional: isOptional, isTransient: isTransient,
                    declaringEntity: draft.declaringEntity,
                    column: isInRow ? columns : nil,
                    side: isInRow ? nil : sides,
                    kind: kind))
            if isInRow { columns += 1 } else { sides += 1 }
        }
        return slots
    }

    private mutating func attributeSlot(_ element: AttributeElement, _ draft: Draft) -> AttributeSlot {
        var derivation: ExpressionNode?
        if let text = element.derivationExpression {
            do {
                derivation = try parseExpression(text)
            } catch {
                diagnostics.append(
                    Diagnostic(.error, at: path(draft), "bad derivation expression \"\(text)\": \(error)"))
            }
        }
        return AttributeSlot(
            element, derivation: derivation,
            elements: compositeElements(of: element, at: path(draft), within: []))
    }

    /// Returns the elements of a composite attribute, including nested ones; none for any other attribute.
    private mutating func compositeElements(
        of element: AttributeElement, at path: String, within outer: [String]
    ) -> [CompositeElementSlot] {
        guard element.type == .composite else { return [] }
        let name = element.compositeName ?? ""
        guard let composite = document.composites.first(where: { $0.name == name }) else {
            diagnostics.append(Diagnostic(.error, at: path, "unknown composite \"\(name)\""))
            return []
        }
        if outer.contains(name) {
            diagnostics.append(Diagnostic(.error, at: path, "the composite \"\(name)\" contains itself"))
            return []
        }
        var names: Set<String> = []
        return composite.attributes.map { nested in
            let path = "\(path).\(nested.name)"
            check(nested.name, at: path)
            if !names.insert(nested.name).inserted {
                diagnostics.append(Diagnostic(.error, at: path, "two elements have this name"))
            }
            let elements = compositeElements(of: nested, at: path, within: outer + [name])
            return CompositeElementSlot(
                name: nested.name, renamingIdentifier: nested.renamingIdentifier,
                isOptional: nested.isOptional,
                attribute: AttributeSlot(nested, derivation: nil, elements: elements))
        }
    }

    private mutating func relationshipSlot(
        _ element: RelationshipElement,
        _ draft: Draft,
        _ numbered: [String: NumberedEntity],
        _ slotsByEntity: [[Draft]]
    ) -> RelationshipSlot? {
        guard let destination = numbered[element.destinationName] else {
            diagnostics.append(
                Diagnostic(
                    .error, at: path(draft), "unknown destination entity \"\(element.destinationName)\""))
            return nil
        }
        var inverse: Int?
        if let name = element.inverseName {
            inverse = slotsByEntity[Int(destination.index)].firstIndex {
                if case .relationship = $0.kind { $0.name == name } else { false }
            }
            if inverse == nil {
                diagnostics.append(
                    Diagnostic(
                        .error, at: path(draft),
                        "the inverse \"\(name)\" is no relationship of \"\(element.destinationName)\""))
            }
        }
        return RelationshipSlot(
            destination: destination.index,
            isPolymorphic: destination.end > destination.index + 1,
            inverse: inverse,
            isReflexive: element.inverseName == element.name && destination.index == draft.declaringEntity,
            isToMany: element.isToMany,
            isOrdered: element.isOrdered,
            minimumCount: element.minimumCount,
            maximumCount: element.maximumCount,
            deleteRule: element.deleteRule)
    }

    private mutating func constraints(
        of entity: NumberedEntity,
        _ order: [NumberedEntity],
        _ slots: [PropertySlot]
    ) -> [[Int]] {
        var result: [[Int]] = []
        var ancestor: EntityIndex? = entity.index
        while let index = ancestor {
            let entity = order[Int(index)]
            for names in entity.element.uniquenessConstraints {
                let indexes = names.map { name in slots.firstIndex { $0.name == name } }
                if let unknown = zip(names, indexes).first(where: { $0.1 == nil }) {
                    diagnostics.append(
                        Diagnostic(
                            .error, at: entity.element.name,
                            "the uniqueness constraint names \"\(unknown.0)\", which is no property"))
                } else if let composite = indexes.lazy.compactMap({ $0.map { slots[$0] } })
                    .first(where: { $0.attribute?.type == .composite })
                {
                    diagnostics.append(
                        Diagnostic(
                            .error, at: entity.element.name,
                            "the uniqueness constraint names \"\(composite.name)\": composites cannot be unique"
                        ))
                } else {
                    result.append(indexes.compactMap { $0 })
                }
            }
            ancestor = entity.superentity
        }
        return result
    }

    private func path(_ draft: Draft) -> String { "\(draft.entityName).\(draft.name)" }
}
