import CoreDataSyncServer
import Foundation
import Synchronization
import Testing

@Suite("The lock of a data folder")
struct FolderLockTests {
    @Test("A lock that is refused closes no file of others")
    func refusal() throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/lock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = DataFolder(path)
        let held = try folder.lockForThisProcess()
        let isOver = Atomic(false)
        let lost = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            if index == 0 {
                for _ in 0..<2000 {
                    #expect(throws: FolderInUse.self) { try folder.lockForThisProcess() }
                }
                isOver.store(true, ordering: .relaxed)
            }
            // A descriptor that was free a moment ago, and is in use now.
            while index == 1, !isOver.load(ordering: .relaxed) {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                for _ in 0..<10 where fcntl(descriptor, F_GETFD) < 0 { lost.add(1, ordering: .relaxed) }
                close(descriptor)
            }
        }
        withExtendedLifetime(held) {}
        #expect(lost.load(ordering: .relaxed) == 0)
    }
}
