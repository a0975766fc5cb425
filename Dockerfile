# The server with its dashboard inside, on an image that holds nothing else.
#
#   docker build -t conveyor .
#   export API_TOKEN=$(openssl rand -hex 24); echo "$API_TOKEN"
#   docker run --stop-timeout 45 -p 127.0.0.1:8085:8085 -v conveyor:/data -e API_TOKEN conveyor
#
# The token is the password of the dashboard at http://localhost:8085.

FROM rust:1.95.0-slim-bookworm AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo xtask build \
    && mkdir -p out/data \
    && cp target/release/conveyor out/

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build --chown=65532:65532 /build/out/data /data
COPY --from=build /build/out/conveyor /usr/local/bin/conveyor
ENV DATA_DIR=/data HOST=0.0.0.0
USER 65532:65532
VOLUME /data
EXPOSE 8085
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["/usr/local/bin/conveyor", "health"]
ENTRYPOINT ["/usr/local/bin/conveyor"]
CMD ["serve"]
