public import Foundation

/// Which items a list shows, by identifier, in sections. One from a fetched results controller has object IDs in
/// sections by name, and its reloaded items are those that changed.
open class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
    /// Results whose IDs nobody has asked for yet.
    private var unread: (list: ResultList<NSObject>, changes: ResultChanges<NSObject>)?
    private var read = SnapshotContent()

    public override init() { super.init() }

    /// Costs nothing until it is looked at.
    convenience init(_ list: ResultList<NSObject>, _ changes: ResultChanges<NSObject>) {
        self.init()
        unread = (list, changes)
    }

    private final var content: SnapshotContent {
        get {
            readIDs()
            return read
        }
        _modify {
            readIDs()
            yield &read
        }
    }

    /// Takes the IDs that the objects have now.
    final func readIDs() {
        guard let (list, changes) = unread else { return }
        unread = nil
        func id(_ element: NSObject) -> AnyHashable { (element as? NSManagedObject)?.objectID ?? element }
        read.sections = list.sections.map { .init(id: $0.name, items: $0.elements.map(id)) }
        read.reloadedItems = (changes.moved + changes.updated).map { id($0.element) }
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSDiffableDataSourceSnapshotReference()
        copy.read = content
        return copy
    }

    // MARK: Reading

    open var numberOfItems: Int { content.sections.reduce(0) { $0 + $1.items.count } }
    open var numberOfSections: Int { content.sections.count }
    open var sectionIdentifiers: [Any] { content.sections.map(\.id.base) }
    open var itemIdentifiers: [Any] { content.items.map(\.base) }
    open var reloadedSectionIdentifiers: [Any] { content.reloadedSections.map(\.base) }
    open var reloadedItemIdentifiers: [Any] { content.reloadedItems.map(\.base) }
    open var reconfiguredItemIdentifiers: [Any] { content.reconfiguredItems.map(\.base) }

    open func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        content.sections[content.requiredSection(Self.key(sectionIdentifier))].items.count
    }

    open func itemIdentifiers(inSectionWithIdentifier sectionIdentifier: Any) -> [Any] {
        content.sections[content.requiredSection(Self.key(sectionIdentifier))].items.map(\.base)
    }

    open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
        content.place(ofItem: Self.key(itemIdentifier)).map { content.sections[$0.section].id.base }
    }

    /// The place among all items; `NSNotFound` for one that is not there.
    open func index(ofItemIdentifier itemIdentifier: Any) -> Int {
        content.index(ofItem: Self.key(itemIdentifier)) ?? NSNotFound
    }

    open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        content.index(ofSection: Self.key(sectionIdentifier)) ?? NSNotFound
    }

    // MARK: Changing

    open func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
        content.insert(sections: sectionIdentifiers.map(Self.key), at: content.sections.count)
    }

    open func insertSections(
        withIdentifiers sectionIdentifiers: [Any], beforeSectionWithIdentifier toSectionIdentifier: Any
    ) {
        let index = content.requiredSection(Self.key(toSectionIdentifier))
        content.insert(sections: sectionIdentifiers.map(Self.key), at: index)
    }

    open func insertSections(
        withIdentifiers sectionIdentifiers: [Any], afterSectionWithIdentifier toSectionIdentifier: Any
    ) {
        let index = content.requiredSection(Self.key(toSectionIdentifier))
        content.insert(sections: sectionIdentifiers.map(Self.key), at: index + 1)
    }

    /// To the last section; traps if there is none.
    open func appendItems(withIdentifiers identifiers: [Any]) {
        guard let last = content.sections.last else {
            programmerError("NSDiffableDataSourceSnapshotReference has no section to append items to.")
        }
        appendItems(withIdentifiers: identifiers, intoSectionWithIdentifier: last.id.base)
    }

    open func appendItems(
        withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any
    ) {
        let section = content.requiredSection(Self.key(sectionIdentifier))
        let end = ResultPosition(section: section, row: content.sections[section].items.count)
        content.insert(items: identifiers.map(Self.key), at: end)
    }

    open func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
        let place = content.requiredItem(Self.key(itemIdentifier))
        content.insert(items: identifiers.map(Self.key), at: place)
    }

    open func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
        var place = content.requiredItem(Self.key(itemIdentifier))
        place.row += 1
        content.insert(items: identifiers.map(Self.key), at: place)
    }

    open func moveItem(withIdentifier fromIdentifier: Any, beforeItemWithIdentifier toIdentifier: Any) {
        content.move(item: Self.key(fromIdentifier), to: Self.key(toIdentifier), offset: 0)
    }

    open func moveItem(withIdentifier fromIdentifier: Any, afterItemWithIdentifier toIdentifier: Any) {
        content.move(item: Self.key(fromIdentifier), to: Self.key(toIdentifier), offset: 1)
    }

    open func moveSection(
        withIdentifier fromSectionIdentifier: Any, beforeSectionWithIdentifier toSectionIdentifier: Any
    ) {
        content.move(section: Self.key(fromSectionIdentifier), to: Self.key(toSectionIdentifier), offset: 0)
    }

    open func moveSection(
        withIdentifier fromSectionIdentifier: Any, afterSectionWithIdentifier toSectionIdentifier: Any
    ) {
        content.move(section: Self.key(fromSectionIdentifier), to: Self.key(toSectionIdentifier), offset: 1)
    }

    open func deleteItems(withIdentifiers identifiers: [Any]) {
        content.delete(items: identifiers.map(Self.key))
    }

    open func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
        content.delete(sections: sectionIdentifiers.map(Self.key))
    }

    open func deleteAllItems() { content = SnapshotContent() }

    open func reloadItems(withIdentifiers identifiers: [Any]) {
        content.reloadedItems += identifiers.map(Self.key)
    }

    open func reconfigureItems(withIdentifiers identifiers: [Any]) {
        content.reconfiguredItems += identifiers.map(Self.key)
    }

    open func reloadSections(withIdentifiers sectionIdentifiers: [Any]) {
        content.reloadedSections += sectionIdentifiers.map(Self.key)
    }

    private static func key(_ identifier: Any) -> AnyHashable {
        guard let key = identifier as? AnyHashable else {
            programmerError("The identifier \(identifier) of a snapshot has to be hashable.")
        }
        return key
    }
}
