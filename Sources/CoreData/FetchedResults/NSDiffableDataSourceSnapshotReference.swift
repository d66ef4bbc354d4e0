public import Foundation

/// The identifiers of the items that a list shows, in sections that have identifiers.
///
/// A snapshot from a fetched results controller has object IDs in sections by name, and its reloaded items
/// are those that changed. Each identifier is hashable and occurs once: methods trap if an identifier is not
/// hashable, if one to be added is in the snapshot already, or if one that names a position is not.
///
/// Unlike Apple's: the class is part of this module, and there is no `NSDiffableDataSourceSnapshot` to cast
/// it to.
open class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
    /// The results, as long as their IDs have not been asked for.
    private var unread: (list: ResultList<NSObject>, changes: ResultChanges<NSObject>)?
    private var read = SnapshotContent()

    /// Makes an empty snapshot.
    public override init() { super.init() }

    /// Makes a snapshot of results, which costs nothing until it is looked at.
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

    /// Reads the IDs that the objects have now, unless that has been done.
    final func readIDs() {
        guard let (list, changes) = unread else { return }
        unread = nil
        func id(_ element: NSObject) -> AnyHashable { (element as? NSManagedObject)?.objectID ?? element }
        read.sections = list.sections.map { .init(id: $0.name, items: $0.elements.map(id)) }
        read.reloadedItems = (changes.moved + changes.updated).map { id($0.element) }
    }

    /// Returns a copy that changes on its own.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSDiffableDataSourceSnapshotReference()
        copy.read = content
        return copy
    }

    // MARK: Reading

    /// The number of items in all sections.
    open var numberOfItems: Int { content.sections.reduce(0) { $0 + $1.items.count } }
    /// The number of sections.
    open var numberOfSections: Int { content.sections.count }
    /// The identifiers of the sections, in order.
    open var sectionIdentifiers: [Any] { content.sections.map(\.id.base) }
    /// The identifiers of all items, in order.
    open var itemIdentifiers: [Any] { content.items.map(\.base) }
    /// The identifiers of the sections to be reloaded.
    open var reloadedSectionIdentifiers: [Any] { content.reloadedSections.map(\.base) }
    /// The identifiers of the items to be reloaded.
    open var reloadedItemIdentifiers: [Any] { content.reloadedItems.map(\.base) }
    /// The identifiers of the items whose cells are to be reconfigured.
    open var reconfiguredItemIdentifiers: [Any] { content.reconfiguredItems.map(\.base) }

    /// Returns the number of items in a section.
    ///
    /// Traps if there is no such section.
    open func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        content.sections[content.requiredSection(Self.key(sectionIdentifier))].items.count
    }

    /// Returns the identifiers of the items in a section, in order.
    ///
    /// Traps if there is no such section.
    open func itemIdentifiers(inSectionWithIdentifier sectionIdentifier: Any) -> [Any] {
        content.sections[content.requiredSection(Self.key(sectionIdentifier))].items.map(\.base)
    }

    /// Returns the identifier of the section that has an item, or nil if none has it.
    open func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: Any) -> Any? {
        content.position(ofItem: Self.key(itemIdentifier)).map { content.sections[$0.section].id.base }
    }

    /// Returns the position of an item among all items, or `NSNotFound`.
    open func index(ofItemIdentifier itemIdentifier: Any) -> Int {
        content.index(ofItem: Self.key(itemIdentifier)) ?? NSNotFound
    }

    /// Returns the position of a section, or `NSNotFound`.
    open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        content.index(ofSection: Self.key(sectionIdentifier)) ?? NSNotFound
    }

    // MARK: Changing

    /// Adds empty sections at the end.
    open func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
        content.insert(sections: sectionIdentifiers.map(Self.key), at: content.sections.count)
    }

    /// Inserts empty sections before another one.
    open func insertSections(
        withIdentifiers sectionIdentifiers: [Any], beforeSectionWithIdentifier toSectionIdentifier: Any
    ) {
        let index = content.requiredSection(Self.key(toSectionIdentifier))
        content.insert(sections: sectionIdentifiers.map(Self.key), at: index)
    }

    /// Inserts empty sections behind another one.
    open func insertSections(
        withIdentifiers sectionIdentifiers: [Any], afterSectionWithIdentifier toSectionIdentifier: Any
    ) {
        let index = content.requiredSection(Self.key(toSectionIdentifier))
        content.insert(sections: sectionIdentifiers.map(Self.key), at: index + 1)
    }

    /// Adds items to the end of the last section.
    ///
    /// Traps if there is no section.
    open func appendItems(withIdentifiers identifiers: [Any]) {
        guard let last = content.sections.last else {
            programmerError("NSDiffableDataSourceSnapshotReference has no section to append items to.")
        }
        appendItems(withIdentifiers: identifiers, intoSectionWithIdentifier: last.id.base)
    }

    /// Adds items to the end of a section.
    open func appendItems(
        withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any
    ) {
        let section = content.requiredSection(Self.key(sectionIdentifier))
        let end = ResultPosition(section: section, row: content.sections[section].items.count)
        content.insert(items: identifiers.map(Self.key), at: end)
    }

    /// Inserts items before another one, into its section.
    open func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
        let position = content.requiredItem(Self.key(itemIdentifier))
        content.insert(items: identifiers.map(Self.key), at: position)
    }

    /// Inserts items behind another one, into its section.
    open func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
        var position = content.requiredItem(Self.key(itemIdentifier))
        position.row += 1
        content.insert(items: identifiers.map(Self.key), at: position)
    }

    /// Moves an item before another one, into its section.
    open func moveItem(withIdentifier fromIdentifier: Any, beforeItemWithIdentifier toIdentifier: Any) {
        content.move(item: Self.key(fromIdentifier), to: Self.key(toIdentifier), offset: 0)
    }

    /// Moves an item behind another one, into its section.
    open func moveItem(withIdentifier fromIdentifier: Any, afterItemWithIdentifier toIdentifier: Any) {
        content.move(item: Self.key(fromIdentifier), to: Self.key(toIdentifier), offset: 1)
    }

    /// Moves a section with its items before another one.
    open func moveSection(
        withIdentifier fromSectionIdentifier: Any, beforeSectionWithIdentifier toSectionIdentifier: Any
    ) {
        content.move(section: Self.key(fromSectionIdentifier), to: Self.key(toSectionIdentifier), offset: 0)
    }

    /// Moves a section with its items behind another one.
    open func moveSection(
        withIdentifier fromSectionIdentifier: Any, afterSectionWithIdentifier toSectionIdentifier: Any
    ) {
        content.move(section: Self.key(fromSectionIdentifier), to: Self.key(toSectionIdentifier), offset: 1)
    }

    /// Removes items; unknown identifiers are ignored.
    open func deleteItems(withIdentifiers identifiers: [Any]) {
        content.delete(items: identifiers.map(Self.key))
    }

    /// Removes sections with their items; unknown identifiers are ignored.
    open func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
        content.delete(sections: sectionIdentifiers.map(Self.key))
    }

    /// Removes all sections and items.
    open func deleteAllItems() { content = SnapshotContent() }

    /// Marks items to be reloaded.
    open func reloadItems(withIdentifiers identifiers: [Any]) {
        content.reloadedItems += identifiers.map(Self.key)
    }

    /// Marks items whose cells are to be reconfigured.
    open func reconfigureItems(withIdentifiers identifiers: [Any]) {
        content.reconfiguredItems += identifiers.map(Self.key)
    }

    /// Marks sections to be reloaded.
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
